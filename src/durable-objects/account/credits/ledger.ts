import { assert } from '../../../lib/assert.ts';
import type { LedgerEntry, LedgerKind, LedgerPage } from '../../../operations/accounts/port.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { requireState, viewOfBalance } from './books.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import type { AccountStorage } from './storage.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

interface Books {
	readonly sql: Sql;
	readonly storage: AccountStorage;
	readonly jobs: AccountJobs;
}

const PAGE_MAX = 5_000;
const IS_GIVEN = "kind IN ('grant', 'adjustment')";

/** A page of the ledger, newest first, with the sums over all of it. */
export function listLedger(books: Books, { page, pageSize }: { page: number; pageSize: number }): LedgerPage {
	assert(Number.isInteger(page) && page >= 1, 'pages count from 1');
	assert(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= PAGE_MAX, 'a page has a number of lines');
	const state = requireState(books.storage);
	const balance = viewOfBalance(state);
	const offset = (page - 1) * pageSize;
	const rows = books.sql.rows(
		`SELECT ledger.*, api_keys.label FROM ledger LEFT JOIN api_keys ON api_keys.id = ledger.key_id
			ORDER BY ledger.at DESC, ledger.id DESC LIMIT ? OFFSET ?`,
		pageSize,
		offset,
	);
	const running = runningJobs(books);
	const totals = totalsOf(books.sql, running);
	const { granted, consumed, reserved } = state.balance;
	return {
		entries: withBalances(
			rows.map((row) => entryOf(books.jobs, row)),
			balance.balance - changeOfNewest(books.sql, running, offset),
		),
		total: totals.lines,
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

function entryOf(jobs: AccountJobs, row: Row): Entry {
	const credits = numberOf(row, 'credits');
	const line = {
		id: textOf(row, 'id'),
		at: numberOf(row, 'at'),
		// The table's CHECK allows no other.
		kind: textOf(row, 'kind') as LedgerKind,
		credits,
		outcome: textOrNull(row, 'outcome'),
		keyId: textOrNull(row, 'key_id'),
		keyLabel: textOrNull(row, 'label'),
		closedAt: numberOrNull(row['closed_at']),
	};
	const nothing = { charged: 0, refunded: 0, released: 0, reserved: 0 };
	if (line.kind === 'grant' || line.kind === 'adjustment') return { ...line, ...nothing, change: credits };
	// A job is charged part by part while its line is open.
	const job = line.kind === 'verification' ? null : jobs.findJob(line.id);
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

/** Jobs whose line is open: their charges stand in their parts. */
function runningJobs({ sql, jobs }: Books): readonly JobRecord[] {
	return sql
		.rows("SELECT job_id FROM jobs INDEXED BY unpurged_jobs WHERE purged = 0 AND status = 'processing'")
		.map((row) => jobs.findJob(textOf(row, 'job_id')))
		.filter((job) => job !== null);
}

/** What the newest so many lines did to the balance. Summed by the database: they may be a million. */
function changeOfNewest(sql: Sql, running: readonly JobRecord[], lines: number): number {
	if (lines === 0) return 0;
	const [newest] = sql.rows(
		`SELECT TOTAL(change) AS change FROM
			(SELECT at, id, IIF(${IS_GIVEN}, credits, -COALESCE(charged, 0)) AS change FROM ledger
				ORDER BY at DESC, id DESC LIMIT ?)`,
		lines,
	);
	assert(newest !== undefined, 'a sum has a row');
	const charging = running.filter(({ createdAt, jobId }) => isAmongNewest(sql, createdAt, jobId, lines));
	return charging.reduce((sum, { creditsUsed }) => sum - creditsUsed, numberOf(newest, 'change'));
}

/** Whether the line of a job is one of the newest so many. */
function isAmongNewest(sql: Sql, at: number, id: string, lines: number): boolean {
	const [newer] = sql.rows('SELECT COUNT(*) AS lines FROM ledger WHERE (at, id) > (?, ?)', at, id);
	assert(newer !== undefined, 'a count has a row');
	return numberOf(newer, 'lines') < lines;
}

function totalsOf(sql: Sql, running: readonly JobRecord[]): LedgerPage['totals'] & { lines: number } {
	const totals = { granted: 0, charged: 0, reserved: 0, lines: 0 };
	for (const row of sql.rows(
		`SELECT ${IS_GIVEN} AS given, closed_at IS NULL AS open, SUM(credits) AS credits,
			COALESCE(SUM(charged), 0) AS charged, COUNT(*) AS lines FROM ledger GROUP BY 1, 2`,
	)) {
		totals.lines += numberOf(row, 'lines');
		if (numberOf(row, 'given') === 1) totals.granted += numberOf(row, 'credits');
		else if (numberOf(row, 'open') === 1) totals.reserved += numberOf(row, 'credits');
		else totals.charged += numberOf(row, 'charged');
	}
	// What running jobs have charged or given back already is reserved no more.
	for (const { creditsUsed, creditsRefunded } of running) {
		totals.charged += creditsUsed;
		totals.reserved -= creditsUsed + creditsRefunded;
	}
	return totals;
}
