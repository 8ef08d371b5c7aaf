import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import { assert } from '../../../lib/assert.ts';
import type { LedgerEntry, LedgerKind, LedgerPage } from '../../../operations/accounts/port.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row } from '../../sql.ts';
import type { AccountContext, RequestOf } from '../context.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import { listKeys } from '../keys.ts';
import { requireState, viewOfBalance } from './books.ts';
import type { CreditStorage, LedgerSums } from './storage.ts';

const PAGE_MAX = 5_000;

/** A page of the ledger, newest first, with the sums over all of it. */
export function listLedger(
	{ sql, credits, jobs }: AccountContext,
	{ page, pageSize }: RequestOf<'listLedger'>,
): LedgerPage {
	assert(Number.isInteger(page) && page >= 1, 'pages count from 1');
	assert(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= PAGE_MAX, 'a page has a number of lines');
	const state = requireState(credits);
	const balance = viewOfBalance(state);
	const offset = (page - 1) * pageSize;
	const labels = new Map(listKeys(sql).map(({ id, label }) => [id, label]));
	const running = jobs.runningJobs();
	const { lines, ...totals } = totalsOf(credits, running);
	const { granted, consumed, reserved } = state.balance;
	return {
		entries: withBalances(
			credits.newestLines(pageSize, offset).map((row) => entryOf(jobs, labels, row)),
			balance.balance - changeOfNewest(credits, running, offset),
		),
		total: lines,
		balance,
		totals,
		reconciled: totals.granted === granted && totals.charged === consumed && totals.reserved === reserved,
	};
}

type Entry = Omit<LedgerEntry, 'balanceAfter'>;

function withBalances(entries: readonly Entry[], balanceAfterFirst: number): LedgerEntry[] {
	let balanceAfter = balanceAfterFirst;
	return entries.map((entry) => {
		const line = { ...entry, balanceAfter };
		balanceAfter -= entry.change;
		return line;
	});
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

/** By how much the newest `lines` lines changed the balance, with the charges of running jobs, from their parts. */
function changeOfNewest(credits: CreditStorage, running: readonly JobRecord[], lines: number): number {
	if (lines === 0) return 0;
	const charging = running.filter(
		({ createdAt, jobId }) => credits.countNewerLines(createdAt, jobId) < lines,
	);
	return charging.reduce((sum, { creditsUsed }) => sum - creditsUsed, credits.changeOfNewest(lines));
}

function totalsOf(credits: CreditStorage, running: readonly JobRecord[]): LedgerSums {
	const { granted, lines, ...sums } = credits.sums();
	let { charged, reserved } = sums;
	// What running jobs have already charged or refunded is no longer reserved.
	for (const { creditsUsed, creditsRefunded } of running) {
		charged += creditsUsed;
		reserved -= creditsUsed + creditsRefunded;
	}
	return { granted, charged, reserved, lines };
}
