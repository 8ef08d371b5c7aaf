import { dayOf } from '../../../core/credits/usage.ts';
import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import type { LedgerEntry, LedgerKind, LedgerPlace } from '../../../operations/accounts/port.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import { listKeys } from '../keys.ts';
import { endOfDay } from './days.ts';
import type { LedgerDay } from './days.ts';
import { placeOf } from './row.ts';

type Entry = Omit<LedgerEntry, 'balanceAfter'>;

/**
 * Lines of the ledger, the newest first, with the balance after each: what all lines up to it add up to. Only between lines
 * that are no neighbours, and from the page's first line to the end of its day, it reads the lines between.
 */
export function entriesOf(
	{ sql, jobs, credits: { days } }: AccountContext,
	rows: readonly Row[],
	{ allDays, areNeighbours }: { readonly allDays: readonly LedgerDay[]; readonly areNeighbours: boolean },
): LedgerEntry[] {
	const labels = labelsOf(sql);
	const running = jobs.runningJobs();
	let newer: { readonly row: Row; readonly sum: number } | null = null;
	return rows.map((row) => {
		const place = placeOf(row);
		const day = dayOf(place.at);
		let sum: number;
		if (newer === null || (!areNeighbours && dayOf(placeOf(newer.row).at) !== day))
			sum = sumUpTo(allDays, day) - days.sumsBetween(place, { at: endOfDay(day), id: '' }).change;
		else if (areNeighbours) sum = newer.sum - changeOf(newer.row);
		else sum = newer.sum - days.sumsBetween(place, placeOf(newer.row)).change;
		newer = { row, sum };
		return { ...entryOf(jobs, labels, row), balanceAfter: sum - chargedUpTo(running, place) };
	});
}

/** The changes of all lines up to the end of a day, without what running jobs have charged. */
function sumUpTo(allDays: readonly LedgerDay[], day: string): number {
	return allDays.filter((each) => each.day <= day).reduce((sum, { change }) => sum + change, 0);
}

function changeOf(row: Row): number {
	const isGiven = row['kind'] === 'grant' || row['kind'] === 'adjustment';
	return isGiven ? numberOf(row, 'credits') : 0 - (numberOrNull(row['charged']) ?? 0);
}

/** The charges so far of running jobs up to a place: they are in the jobs' parts and not yet in their lines. */
function chargedUpTo(running: readonly JobRecord[], { at, id }: LedgerPlace): number {
	return running
		.filter(({ createdAt, jobId }) => createdAt < at || (createdAt === at && jobId <= id))
		.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
}

function labelsOf(sql: Sql): ReadonlyMap<string, string> {
	return new Map(listKeys(sql).map(({ id, label }) => [id, label]));
}

function entryOf(jobs: AccountJobs, labels: ReadonlyMap<string, string>, row: Row): Entry {
	const keyId = textOrNull(row, 'key_id');
	const credits = numberOf(row, 'credits');
	const line = {
		id: textOf(row, 'id'),
		at: numberOf(row, 'at'),
		// The table's CHECK allows no other value.
		kind: textOf(row, 'kind') as LedgerKind,
		credits,
		outcome: textOrNull(row, 'outcome'),
		keyId,
		keyLabel: keyId === null ? null : (labels.get(keyId) ?? null),
		closedAt: numberOrNull(row['closed_at']),
	};
	const nothing = { charged: 0, refunded: 0, released: 0, reserved: 0 };
	if (line.kind === 'grant' || line.kind === 'adjustment') return { ...line, ...nothing, change: credits };
	// While a job runs, its charges are in its parts and not yet in its line.
	const job = isJobNoun(line.kind) ? jobs.findJob(line.id) : null;
	if (job !== null) {
		const { creditsUsed: charged, creditsRefunded: refunded, creditsReserved: reserved } = job;
		const released = credits - charged - refunded - reserved;
		return { ...line, charged, refunded, reserved, released, change: 0 - charged };
	}
	const charged = numberOrNull(row['charged']) ?? 0;
	const refunded = line.outcome === 'unknown' ? credits - charged : 0;
	const released = credits - charged - refunded;
	return { ...line, charged, refunded, released, reserved: 0, change: 0 - charged };
}
