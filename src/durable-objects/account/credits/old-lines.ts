import { DAY_MS } from '../../../lib/time.ts';
import { numberOrNull } from '../../sql.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { beginOfDayAt } from './days.ts';
import { placeOf } from './row.ts';

/** Lines deleted in one transaction: other callers wait for it some milliseconds. */
const DELETED_AT_ONCE = 5_000;
/** A running job keeps its day and all later ones; the alarm looks again after this pause. */
const BLOCKED_MS = 3_600_000;

/**
 * Deletes some of the lines that are older than the retention, by whole days. The sums of their days stay. Returns when the
 * alarm has to look again, or null while the ledger has no lines.
 */
export function deleteOldLines(
	{ sql, credits, jobs }: AccountContext,
	now: number,
	retentionMs: number,
): number | null {
	const state = credits.exists ? credits.read() : null;
	if (state === null) return null;
	const running = jobs.runningJobs().map(({ createdAt }) => createdAt);
	const keptFrom = Math.max(state.ledger.keptFrom, beginOfDayAt(Math.min(now - retentionMs, ...running)));
	if ((oldestLineAt(sql) ?? keptFrom) < keptFrom) {
		credits.write({ ...state, ledger: { ...state.ledger, keptFrom } });
		if (deleteClosed(sql, keptFrom)) return now;
	}
	const oldest = oldestLineAt(sql);
	if (oldest === null) return null;
	const dueAt = beginOfDayAt(oldest) + DAY_MS + retentionMs;
	return dueAt > now ? dueAt : now + BLOCKED_MS;
}

/** Deletes closed lines made before a time, the oldest first. Returns whether there may be more. */
function deleteClosed(sql: Sql, before: number): boolean {
	const [last] = sql.rows(
		'SELECT at, id FROM ledger WHERE at < ? AND closed_at IS NOT NULL ORDER BY at, id LIMIT 1 OFFSET ?',
		before,
		DELETED_AT_ONCE - 1,
	);
	const { at, id } = last === undefined ? { at: before, id: '' } : placeOf(last);
	sql.rows('DELETE FROM ledger WHERE (at, id) <= (?, ?) AND closed_at IS NOT NULL', at, id);
	return last !== undefined;
}

function oldestLineAt(sql: Sql): number | null {
	const [row] = sql.rows('SELECT at FROM ledger ORDER BY at, id LIMIT 1');
	return numberOrNull(row?.['at']);
}
