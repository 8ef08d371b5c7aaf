import { dayOf } from '../../core/credits/usage.ts';
import { endOf, replaces } from '../../core/outcomes/outcome.ts';
import type { Digests, KeptOutcome, ToldOutcome } from '../../core/outcomes/outcome.ts';
import { DAY_MS, roundUp, secondsToNextDay } from '../../lib/time.ts';
import type { Sql } from '../sql.ts';
import type { AccountContext } from './context.ts';

/** How many outcomes an account may have written in a day (UTC), which is two lists of the largest size. */
export const WRITTEN_PER_DAY_MAX = 100_000;

/** The kept outcome of each address, in their order; null: none. */
export function findOutcomes(
	{ sql }: AccountContext,
	{ now, addresses }: { now: number; addresses: readonly Digests[] },
) {
	return addresses.map((digests) => findOutcome(sql, digests, now));
}

/** Deletes what has ended, and has the alarm ring for the rest: once a day, since nothing that has ended is read. */
export function forgetEnded({ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>, now: number): void {
	sql.rows('DELETE FROM outcomes WHERE endsAt <= ?', now);
	const next = sql.first<{ at: number | null }>('SELECT MIN(endsAt) AS at FROM outcomes')?.at ?? null;
	if (next !== null) wakeBy(roundUp(next, DAY_MS));
}

/**
 * Records what is new, or newer than what was known; `unchanged` and `expired` are the others of a report. Repeating a call
 * changes nothing. `too_many_today`: more than an account may tell in a day, and nothing was recorded.
 */
export function recordOutcomes(
	{ sql, credits, wakeBy }: AccountContext,
	{ now, outcomes }: { now: number; outcomes: readonly Report[] },
) {
	const day = dayOf(now);
	const { told } = credits.require();
	const before = told?.day === day ? told.outcomes : 0;
	const { rows, ...news } = newsAmong(sql, outcomes, now);
	if (before + rows.length > WRITTEN_PER_DAY_MAX) {
		const resetSeconds = secondsToNextDay(now);
		const window = { limit: WRITTEN_PER_DAY_MAX, remaining: WRITTEN_PER_DAY_MAX - before, resetSeconds };
		return { kind: 'too_many_today', window } as const;
	}
	for (const report of rows) {
		const [digest = '', ...others] = report.digests;
		writeOutcome(sql, { digest, kind: report.kind, at: report.at }, others);
		wakeBy(roundUp(endOf(report), DAY_MS));
	}
	if (rows.length > 0) sql.update('account', { id: 1 }, { told: { day, outcomes: before + rows.length } });
	return { kind: 'recorded', ...news } as const;
}

type Report = ToldOutcome & { readonly digests: Digests };

/** The outcomes that change something, one for each address, and how many do not. Writes nothing. */
function newsAmong(sql: Sql, outcomes: readonly Report[], now: number) {
	const byAddress = new Map<string, Report>();
	let expired = 0;
	for (const report of outcomes) {
		if (endOf(report) <= now) {
			expired += 1;
			continue;
		}
		const [digest = ''] = report.digests;
		const known = byAddress.get(digest) ?? findOutcome(sql, report.digests, now);
		if (replaces(report, known)) byAddress.set(digest, report);
	}
	const rows = [...byAddress.values()];
	const unchanged = outcomes.length - expired - rows.length;
	return { rows, recorded: rows.length, unchanged, expired };
}

/** The newest kept outcome under any of the digests. */
export function findOutcome(sql: Sql, digests: readonly string[], now: number): KeptOutcome | null {
	const query = `SELECT kind, at FROM outcomes
		WHERE digest IN (${marks(digests)}) AND endsAt > ? ORDER BY at DESC, kind DESC LIMIT 1`;
	return sql.first<KeptOutcome>(query, ...digests, now);
}

/** Stores the outcome under its digest and removes what stood under the others, of earlier secrets. */
function writeOutcome(
	sql: Sql,
	outcome: KeptOutcome & { readonly digest: string },
	others: readonly string[],
): void {
	if (others.length > 0) sql.rows(`DELETE FROM outcomes WHERE digest IN (${marks(others)})`, ...others);
	sql.put('outcomes', { ...outcome, endsAt: endOf(outcome) });
}

function marks(values: readonly unknown[]): string {
	return values.map(() => '?').join(', ');
}
