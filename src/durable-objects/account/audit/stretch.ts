import type { GrantFacts, LedgerSumsFacts, StretchFacts } from '../../../core/audit/facts.ts';
import { PURCHASE_LINES } from '../../../core/payments/purchase-ids.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { isAfter } from '../credits/files.ts';
import { AFTER_ALL, placeOf } from '../credits/marks.ts';

// About a thousand lines each.
const MARKS_A_STRETCH = 10;
const ORPHANS_MAX = 20;

/**
 * Compares the next marks with the lines before each. The books are checked from the last mark on, so that all stretches
 * and the books together prove the whole ledger, though it changes meanwhile.
 */
export function auditLedger(
	account: AccountContext,
	{ after }: { after: { at: number; id: string } | null },
): StretchFacts {
	const { sql, credits, files, marks } = account;
	if (!credits.exists) return { lines: 0, wrong: [], orphans: [], bought: [], next: null };
	const { pruned, prunedSums } = files.read();
	let place = after === null || isAfter(pruned, after) ? pruned : after;
	let sums: LedgerSumsFacts =
		place === pruned ? prunedSums : (markAt(account, place) ?? marks.sumsUpTo(place));
	const begin = place;
	const wrong: StretchFacts['wrong'][number][] = [];
	let lines = 0;
	const rows = sql.rows(
		'SELECT * FROM ledger_marks WHERE (at, id) > (?, ?) ORDER BY at, id LIMIT ?',
		place.at,
		place.id,
		MARKS_A_STRETCH,
	);
	for (const row of rows) {
		const mark = placeOf(row);
		const between = marks.sumsBetween(place, mark);
		const counted = { lines: sums.lines + between.lines, change: sums.change + between.change };
		const marked = { lines: numberOf(row, 'lines'), change: numberOf(row, 'change') };
		if (counted.lines !== marked.lines || counted.change !== marked.change)
			wrong.push({ id: mark.id, at: mark.at, marked, counted });
		lines += between.lines;
		[place, sums] = [mark, marked];
	}
	const isEnd = rows.length < MARKS_A_STRETCH;
	if (isEnd) lines += marks.sumsBetween(place, AFTER_ALL).lines;
	const end = isEnd ? AFTER_ALL : place;
	return {
		lines,
		wrong,
		orphans: orphansBetween(account, begin, end),
		bought: boughtBetween(account, begin, end),
		next: isEnd ? null : place,
	};
}

function markAt({ sql }: AccountContext, { at, id }: LedgerPlace): LedgerSumsFacts | null {
	const [row] = sql.rows('SELECT lines, change FROM ledger_marks WHERE at = ? AND id = ?', at, id);
	return row === undefined ? null : { lines: numberOf(row, 'lines'), change: numberOf(row, 'change') };
}

/** Open lines whose work has ended or never was. Those of verifications only where nobody looks for open ones any more. */
function orphansBetween(
	{ sql }: AccountContext,
	after: LedgerPlace,
	upTo: LedgerPlace,
): StretchFacts['orphans'] {
	return sql
		.rows(
			`SELECT ledger.at, ledger.id, ledger.kind FROM ledger LEFT JOIN jobs ON jobs.job_id = ledger.id
				WHERE (ledger.at, ledger.id) > (?, ?) AND (ledger.at, ledger.id) <= (?, ?) AND ledger.closed_at IS NULL
					AND IIF(ledger.kind = 'verification', ledger.at < (SELECT settled_before FROM account),
						jobs.status IS NULL OR jobs.status <> 'processing')
				ORDER BY ledger.at, ledger.id LIMIT ?`,
			after.at,
			after.id,
			upTo.at,
			upTo.id,
			ORPHANS_MAX,
		)
		.map((row) => ({ id: textOf(row, 'id'), at: numberOf(row, 'at'), kind: textOf(row, 'kind') }));
}

/** The lines about purchases. */
function boughtBetween(
	{ sql }: AccountContext,
	after: LedgerPlace,
	upTo: LedgerPlace,
): StretchFacts['bought'] {
	const [bought, refunded] = PURCHASE_LINES;
	return sql
		.rows(
			`SELECT at, id, credits FROM ledger WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?)
				AND kind IN ('grant', 'adjustment') AND (id GLOB ? OR id GLOB ?) ORDER BY at, id`,
			after.at,
			after.id,
			upTo.at,
			upTo.id,
			`${bought}*`,
			`${refunded}*`,
		)
		.map((row) => ({ id: textOf(row, 'id'), at: numberOf(row, 'at'), credits: numberOf(row, 'credits') }));
}

/** What is known of these grants and withdrawals. */
export function auditGrants(
	{ sql, credits }: AccountContext,
	{ ids }: { ids: readonly string[] },
): readonly GrantFacts[] {
	if (!credits.exists) return [];
	return sql
		.rows('SELECT id, credits FROM grants WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
		.map((row) => ({ id: textOf(row, 'id'), credits: numberOf(row, 'credits') }));
}
