import { endOf } from '../../../core/outcomes/outcome.ts';
import type { OutcomeKind } from '../../../core/outcomes/outcome.ts';
import type { KeptOutcome } from '../../../operations/outcomes/port.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { Sql } from '../../sql.ts';

/** The newest kept outcome under any of the digests. */
export function findOutcome(sql: Sql, digests: readonly string[], now: number): KeptOutcome | null {
	const [row] = sql.rows(
		`SELECT kind, at FROM outcomes
			WHERE digest IN (${marks(digests)}) AND ends_at > ? ORDER BY at DESC, kind DESC LIMIT 1`,
		...digests,
		now,
	);
	return row === undefined ? null : { kind: textOf(row, 'kind') as OutcomeKind, at: numberOf(row, 'at') };
}

/** Stores the outcome under its digest and removes what stood under the others, of earlier secrets. */
export function writeOutcome(
	sql: Sql,
	{ digest, ...outcome }: KeptOutcome & { readonly digest: string },
	others: readonly string[],
): void {
	if (others.length > 0) sql.rows(`DELETE FROM outcomes WHERE digest IN (${marks(others)})`, ...others);
	const { kind, at } = outcome;
	const row = [digest, kind, at, endOf(outcome)];
	sql.rows('INSERT OR REPLACE INTO outcomes (digest, kind, at, ends_at) VALUES (?, ?, ?, ?)', ...row);
}

/** How many outcomes were written on that day so far. */
export function writtenOn(sql: Sql, day: string): number {
	const [row] = sql.rows('SELECT written FROM feedback_day WHERE id = 1 AND day = ?', day);
	return row === undefined ? 0 : numberOf(row, 'written');
}

export function setWrittenOn(sql: Sql, day: string, written: number): void {
	sql.rows('INSERT OR REPLACE INTO feedback_day (id, day, written) VALUES (1, ?, ?)', day, written);
}

/** Deletes what has ended. Returns when the next of it ends, epoch ms; null: nothing is kept. */
export function deleteEnded(sql: Sql, now: number): number | null {
	sql.rows('DELETE FROM outcomes WHERE ends_at <= ?', now);
	const [row] = sql.rows('SELECT min(ends_at) AS ends_at FROM outcomes');
	const soonest = row?.['ends_at'];
	return typeof soonest === 'number' ? soonest : null;
}

/** Deletes all of it. */
export function deleteAll(sql: Sql): void {
	for (const table of ['outcomes', 'feedback_day']) sql.rows(`DELETE FROM ${table}`);
}

function marks(values: readonly unknown[]): string {
	return values.map(() => '?').join(', ');
}
