import type { GrantFacts, StretchFacts } from '../../../core/audit/facts.ts';
import { PURCHASE_LINES } from '../../../core/payments/purchase.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { endOfDay } from '../credits/days.ts';
import { daysOf, keptFrom } from './books.ts';

/** A call goes on to the next day until it has read so many lines. */
const LINES_A_STRETCH = 10_000;
const ORPHANS_MAX = 20;

/**
 * Compares what the account says of the next days with their lines. The books compare the sums of all days with the balance,
 * so that both together prove the whole ledger, though it changes meanwhile.
 */
export function auditLedger(account: AccountContext, { after }: { after: string | null }): StretchFacts {
	const { sql, credits } = account;
	if (!credits.exists) return { lines: 0, wrong: [], orphans: [], bought: [], next: null };
	const begin = Math.max(keptFrom(sql), after === null ? 0 : endOfDay(after));
	const days = daysOf(account).filter(({ day }) => endOfDay(day) > begin);
	const wrong: StretchFacts['wrong'][number][] = [];
	let [lines, end, next]: [number, number, string | null] = [0, begin, null];
	for (const day of days) {
		const isLast = day === days.at(-1);
		// Lines of a day that the account does not know count to the next one.
		const from = { at: end, id: '' };
		end = isLast ? Number.MAX_SAFE_INTEGER : endOfDay(day.day);
		const counted = credits.days.sumsBetween(from, { at: end, id: '' });
		if (counted.lines !== day.lines || counted.change !== day.change) wrong.push({ said: day, counted });
		lines += counted.lines;
		next = isLast ? null : day.day;
		if (lines >= LINES_A_STRETCH) break;
	}
	return {
		lines,
		wrong,
		orphans: orphansBetween(account, begin, end),
		bought: boughtBetween(account, begin, end),
		next,
	};
}

/** Open lines whose work has ended or never existed. */
function orphansBetween({ sql }: AccountContext, from: number, until: number): StretchFacts['orphans'] {
	return sql
		.rows(
			`SELECT ledger.at, ledger.id, ledger.kind FROM ledger LEFT JOIN jobs ON jobs.job_id = ledger.id
				WHERE ledger.at >= ? AND ledger.at < ? AND ledger.closed_at IS NULL
					AND (jobs.status IS NULL OR jobs.status <> 'processing')
				ORDER BY ledger.at, ledger.id LIMIT ?`,
			from,
			until,
			ORPHANS_MAX,
		)
		.map((row) => ({ id: textOf(row, 'id'), at: numberOf(row, 'at'), kind: textOf(row, 'kind') }));
}

/** The lines about purchases. */
function boughtBetween({ sql }: AccountContext, from: number, until: number): StretchFacts['bought'] {
	const [bought, refunded] = PURCHASE_LINES;
	return sql
		.rows(
			`SELECT at, id, credits FROM ledger WHERE at >= ? AND at < ?
				AND kind IN ('grant', 'adjustment') AND (id GLOB ? OR id GLOB ?) ORDER BY at, id`,
			from,
			until,
			`${bought}*`,
			`${refunded}*`,
		)
		.map((row) => ({ id: textOf(row, 'id'), at: numberOf(row, 'at'), credits: numberOf(row, 'credits') }));
}

/** The stored credits of these grants and withdrawals. */
export function auditGrants(
	{ sql, credits }: AccountContext,
	{ ids }: { ids: readonly string[] },
): readonly GrantFacts[] {
	if (!credits.exists) return [];
	return sql
		.rows('SELECT id, credits FROM grants WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
		.map((row) => ({ id: textOf(row, 'id'), credits: numberOf(row, 'credits') }));
}
