import { numberOrNull } from '../sql.ts';
import type { Sql } from '../sql.ts';
import type { AccountContext } from './context.ts';
import { finishAll } from './jobs/end-all.ts';

/** When the account was suspended (for a while) or closed (for good). Epoch milliseconds. */
export interface Suspension {
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
}

// The table keeps its old name `standing`, because older code, after a rollback, would not find another one.

/** Reads the suspension; an account that was never opened has none. */
export function readSuspension(sql: Sql): Suspension {
	const [row] = sql.rows('SELECT suspended_at, closed_at FROM standing WHERE id = 1');
	return { suspendedAt: numberOrNull(row?.['suspended_at']), closedAt: numberOrNull(row?.['closed_at']) };
}

/** Whether the account refuses all requests. */
export function isAccountShut(sql: Sql): boolean {
	const { suspendedAt, closedAt } = readSuspension(sql);
	return suspendedAt !== null || closedAt !== null;
}

/**
 * Suspends the account since `at` and ends its jobs early, or with null resumes it. A repetition keeps the first time. Not
 * opened: nothing. Whether it was otherwise before.
 */
export function suspend(account: AccountContext, { at }: { at: number | null }): boolean {
	const { sql, credits } = account;
	if (!credits.exists) return false;
	const { suspendedAt, closedAt } = readSuspension(sql);
	writeSuspension(sql, { suspendedAt: at === null ? null : (suspendedAt ?? at), closedAt });
	// The alarm writes their results.
	if (at !== null) finishAll(account, at);
	return (suspendedAt === null) !== (at === null);
}

/** Writes the suspension. */
export function writeSuspension(sql: Sql, { suspendedAt, closedAt }: Suspension): void {
	sql.rows(
		'INSERT OR REPLACE INTO standing (id, suspended_at, closed_at) VALUES (1, ?, ?)',
		suspendedAt,
		closedAt,
	);
}
