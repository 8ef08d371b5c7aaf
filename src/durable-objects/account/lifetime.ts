import type { NewKey } from '../../core/keys/key.ts';
import { available, EMPTY_BALANCE, grant, withdraw } from '../../core/credits/balance.ts';
import { INITIAL_GRANT_ID } from '../../core/credits/price.ts';
import { dayOf } from '../../core/credits/usage.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { AccountContext } from './context.ts';
import { recordGrant } from './credits/grants.ts';
import type { AccountState } from './credits/storage.ts';
import { abandonAll, finishAll } from './jobs/end-all.ts';
import { addKey, endKeys } from './keys.ts';
import { ACCOUNT_SCHEMA } from './schema.ts';
import { OWNER } from './tell/outbox.ts';

// With a space, which ids from operators can't have.
const CLOSING_ID = 'account closed';
const NO_NOTICE = { below: null, isLow: false, mails: false };

/** Opens the account with its first key and credits. */
export function openAccount(
	{ sql, credits, wakeBy }: AccountContext,
	{
		now,
		initialCredits,
		key,
		owner = null,
	}: { now: number; initialCredits: number; key: NewKey | null; owner?: string | null },
): void {
	if (sql.isOpen) return;
	sql.open(ACCOUNT_SCHEMA);
	const empty: AccountState = {
		...EMPTY_BALANCE,
		transactions: 0,
		lastTransactionAt: null,
		owner,
		limits: {},
		windows: {},
		today: { day: dayOf(now), keys: {} },
		suspendedAt: null,
		closedAt: null,
		keptFrom: 0,
		deletedChange: 0,
		creditsLow: NO_NOTICE,
		told: null,
		callback: null,
	};
	if (key !== null) addKey(sql, key, now);
	if (initialCredits === 0) {
		credits.write(empty);
		return;
	}
	wakeBy(now + DAY_MS);
	const first = { id: INITIAL_GRANT_ID, credits: initialCredits, now };
	recordGrant({ sql, credits }, grant(empty, initialCredits), first);
}

/**
 * Closes the account for good. The ledger's figures stay; reported outcomes are deleted. The remaining credits are
 * withdrawn, so that no work can begin any more. The alarm deletes the blobs.
 */
export function closeAccount(account: AccountContext, { now }: { now: number }): void {
	const { sql, credits, outbox, wakeBy } = account;
	const before = credits.read();
	if (before === null) return;
	wakeBy(now);
	if (before.closedAt !== null) return;
	sql.update('account', { id: 1 }, { closedAt: now, creditsLow: NO_NOTICE, told: null, callback: null });
	endKeys(sql, now);
	sql.rows('DELETE FROM outcomes');
	// Before jobs end: no endpoint gets an event any more.
	for (const table of ['outbox', 'endpoints']) sql.rows(`DELETE FROM ${table}`);
	sql.rows('UPDATE jobs SET callbackUrl = NULL');
	abandonAll(account, now);
	// Their owner gets no mail that they ended.
	outbox.drop(OWNER);
	// Otherwise a credit of a call that is under way would be left after the withdrawal.
	credits.holds.clear();
	const state = credits.require();
	const left = available(state);
	const emptied = left === 0 ? null : withdraw(state, left);
	if (emptied !== null) recordGrant(account, emptied, { id: CLOSING_ID, credits: -left, now });
}

/**
 * Suspends the account since `at` and ends its jobs early, or with null resumes it. A repetition keeps the first time.
 * Returns since when it is suspended. Not opened: nothing.
 */
export function suspend(account: AccountContext, { at }: { at: number | null }): number | null {
	const { sql, credits } = account;
	const state = credits.read();
	if (state === null) return null;
	const suspendedAt = at === null ? null : (state.suspendedAt ?? at);
	sql.update('account', { id: 1 }, { suspendedAt });
	// The alarm writes their results.
	if (at !== null) finishAll(account, at);
	return suspendedAt;
}
