import { endOf } from '../../../core/outcomes/outcome.ts';
import type { KeptOutcome } from '../../../core/outcomes/outcome.ts';
import type { Sql } from '../../sql.ts';

/** The newest kept outcome under any of the digests. */
export function findOutcome(sql: Sql, digests: readonly string[], now: number): KeptOutcome | null {
	const query = `SELECT kind, at FROM outcomes
		WHERE digest IN (${marks(digests)}) AND endsAt > ? ORDER BY at DESC, kind DESC LIMIT 1`;
	return sql.first<KeptOutcome>(query, ...digests, now);
}

/** Stores the outcome under its digest and removes what stood under the others, of earlier secrets. */
export function writeOutcome(
	sql: Sql,
	outcome: KeptOutcome & { readonly digest: string },
	others: readonly string[],
): void {
	if (others.length > 0) sql.rows(`DELETE FROM outcomes WHERE digest IN (${marks(others)})`, ...others);
	sql.put('outcomes', { ...outcome, endsAt: endOf(outcome) });
}

/** Deletes what has ended. Returns when the next of it ends, epoch ms; null: nothing is kept. */
export function deleteEnded(sql: Sql, now: number): number | null {
	sql.rows('DELETE FROM outcomes WHERE endsAt <= ?', now);
	return (
		sql.first<{ soonest: number | null }>('SELECT MIN(endsAt) AS soonest FROM outcomes')?.soonest ?? null
	);
}

function marks(values: readonly unknown[]): string {
	return values.map(() => '?').join(', ');
}
