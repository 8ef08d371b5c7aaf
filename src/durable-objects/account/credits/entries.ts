import { assert } from '../../../lib/assert.ts';
import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import type { LedgerEntry, LedgerKind } from '../../../operations/accounts/port.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import { listKeys } from '../keys.ts';
import { isAfter } from './files.ts';
import { placeOf } from './marks.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';

type Entry = Omit<LedgerEntry, 'balanceAfter'>;

/** Neighbouring lines of the ledger, the newest first and at the given place, with the balance after each. */
export function entriesOf(
	{ sql, jobs, marks }: AccountContext,
	rows: readonly Row[],
	newest: LedgerPlace,
): LedgerEntry[] {
	const labels = labelsOf(sql);
	let balanceAfter = marks.sumsUpTo(newest).change - chargedByRunning(jobs, newest);
	return rows.map((row) => {
		const entry = entryOf(jobs, labels, row);
		const line = { ...entry, balanceAfter };
		balanceAfter -= entry.change;
		return line;
	});
}

/** Lines of the ledger with others between them, the newest first, with the balance after each. */
export function scatteredEntriesOf(
	{ sql, jobs, marks }: AccountContext,
	rows: readonly Row[],
): LedgerEntry[] {
	const labels = labelsOf(sql);
	const places = rows.map(placeOf);
	const running = jobs.runningJobs();
	const changes = marks.changesUpTo(places);
	return rows.map((row, index) => {
		const [place, change] = [places[index], changes[index]];
		assert(place !== undefined && change !== undefined, 'each line has a place and the changes up to it');
		return { ...entryOf(jobs, labels, row), balanceAfter: change - chargedUpTo(running, place) };
	});
}

/** What running jobs up to a place have charged so far: it is in their parts and not yet in their lines. */
export function chargedByRunning(jobs: AccountJobs, upTo: LedgerPlace): number {
	return chargedUpTo(jobs.runningJobs(), upTo);
}

function chargedUpTo(running: ReturnType<AccountJobs['runningJobs']>, upTo: LedgerPlace): number {
	return running
		.filter(({ createdAt, jobId }) => !isAfter({ at: createdAt, id: jobId }, upTo))
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
	if (line.closedAt === null) return { ...line, ...nothing, reserved: credits, change: 0 };
	const charged = numberOrNull(row['charged']) ?? 0;
	const refunded = line.outcome === 'unknown' ? credits - charged : 0;
	const released = credits - charged - refunded;
	return { ...line, charged, refunded, released, reserved: 0, change: 0 - charged };
}
