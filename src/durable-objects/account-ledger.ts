import { assert } from '../lib/assert.ts';
import type { LedgerCursor, LedgerEntry, LedgerKind, LedgerPage } from '../operations/account-desk-port.ts';
import { requireState, viewOfBalance } from './account-books.ts';
import type { AccountJobs } from './account-jobs.ts';
import type { AccountStorage } from './account-storage.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './sql.ts';
import type { Row, Sql } from './sql.ts';

interface Books {
	readonly sql: Sql;
	readonly storage: AccountStorage;
	readonly jobs: AccountJobs;
}

/** A page of the ledger, newest first, with the sums over all of it. */
export function listLedger(
	books: Books,
	{ after, limit }: { after: LedgerCursor | null; limit: number },
): LedgerPage {
	assert(Number.isInteger(limit) && limit >= 1 && limit <= 1_000, 'a page has 1 to 1000 lines');
	const state = requireState(books.storage);
	const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: '' };
	const rows = books.sql.rows(
		`SELECT ledger.*, api_keys.label FROM ledger LEFT JOIN api_keys ON api_keys.id = ledger.key_id
			WHERE (ledger.at, ledger.id) < (?, ?) ORDER BY ledger.at DESC, ledger.id DESC LIMIT ?`,
		at,
		id,
		limit + 1,
	);
	const entries = rows.slice(0, limit).map((row) => entryOf(books.jobs, row));
	const last = entries.at(-1);
	const totals = totalsOf(books);
	const { granted, consumed, reserved } = state.balance;
	return {
		entries,
		next: rows.length > limit && last !== undefined ? { at: last.at, id: last.id } : null,
		balance: viewOfBalance(state),
		totals,
		reconciled: totals.granted === granted && totals.charged === consumed && totals.reserved === reserved,
	};
}

function entryOf(jobs: AccountJobs, row: Row): LedgerEntry {
	const credits = numberOf(row, 'credits');
	const closedAt = numberOrNull(row['closed_at']);
	const line = {
		id: textOf(row, 'id'),
		at: numberOf(row, 'at'),
		// The table's CHECK allows no other.
		kind: textOf(row, 'kind') as LedgerKind,
		credits,
		outcome: textOrNull(row, 'outcome'),
		keyId: textOrNull(row, 'key_id'),
		keyLabel: textOrNull(row, 'label'),
		closedAt,
	};
	const nothing = { charged: 0, refunded: 0, released: 0, reserved: 0 };
	if (line.kind === 'grant' || line.kind === 'adjustment') return { ...line, ...nothing };
	// A job is charged part by part while its line is open.
	const job = jobs.findJob(line.id);
	if (job !== null) {
		const { creditsUsed: charged, creditsRefunded: refunded, creditsReserved: reserved } = job;
		return { ...line, charged, refunded, reserved, released: credits - charged - refunded - reserved };
	}
	if (closedAt === null) return { ...line, ...nothing, reserved: credits };
	const charged = numberOrNull(row['charged']) ?? 0;
	const refunded = line.outcome === 'unknown' ? credits - charged : 0;
	return { ...line, charged, refunded, reserved: 0, released: credits - charged - refunded };
}

function totalsOf({ sql, jobs }: Books): LedgerPage['totals'] {
	const totals = { granted: 0, charged: 0, reserved: 0 };
	for (const row of sql.rows(
		`SELECT kind IN ('grant', 'adjustment') AS given, closed_at IS NULL AS open, SUM(credits) AS credits,
			COALESCE(SUM(charged), 0) AS charged FROM ledger GROUP BY 1, 2`,
	)) {
		if (numberOf(row, 'given') === 1) totals.granted += numberOf(row, 'credits');
		else if (numberOf(row, 'open') === 1) totals.reserved += numberOf(row, 'credits');
		else totals.charged += numberOf(row, 'charged');
	}
	// What running jobs have charged or given back already is reserved no more.
	for (const row of sql.rows(
		"SELECT job_id FROM jobs INDEXED BY unpurged_jobs WHERE purged = 0 AND status = 'processing'",
	)) {
		const job = jobs.findJob(textOf(row, 'job_id'));
		assert(job !== null, 'a job that is listed is there');
		totals.charged += job.creditsUsed;
		totals.reserved -= job.creditsUsed + job.creditsRefunded;
	}
	return totals;
}
