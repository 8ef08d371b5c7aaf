import type { Sql } from '../sql.ts';
import type { AccountContext } from './context.ts';
import type { AccountState } from './credits/row.ts';
import { finishAll } from './jobs/end-all.ts';

/** Whether the account refuses all requests. */
export function isAccountShut(sql: Sql): boolean {
	const account = sql.first<Pick<AccountState, 'suspendedAt' | 'closedAt'>>(
		'SELECT suspendedAt, closedAt FROM account',
	);
	return account !== null && (account.suspendedAt !== null || account.closedAt !== null);
}

/**
 * Suspends the account since `at` and ends its jobs early, or with null resumes it. A repetition keeps the first time. Not
 * opened: nothing. Whether it was otherwise before.
 */
export function suspend(account: AccountContext, { at }: { at: number | null }): boolean {
	const { sql, credits } = account;
	const before = credits.exists ? credits.read() : null;
	if (before === null) return false;
	const { suspendedAt } = before;
	sql.update('account', { id: 1 }, { suspendedAt: at === null ? null : (suspendedAt ?? at) });
	// The alarm writes their results.
	if (at !== null) finishAll(account, at);
	return (suspendedAt === null) !== (at === null);
}
