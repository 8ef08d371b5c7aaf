import type { NewKey } from '../../operations/accounts/port.ts';
import { available, EMPTY_BALANCE, grant, withdraw } from '../../core/credits/balance.ts';
import { INITIAL_GRANT_ID } from '../../core/credits/price.ts';
import { dayOf } from '../../core/credits/usage.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { AccountContext } from './context.ts';
import { requireState } from './credits/books.ts';
import { recordGrant } from './credits/grants.ts';
import type { AccountState } from './credits/row.ts';
import { abandonAll } from './jobs/end-all.ts';
import { endKeys, newKey, writeKey } from './keys.ts';
import { deleteAll } from './outcomes/storage.ts';
import { migrate } from './schema.ts';
import { readSuspension, writeSuspension } from './suspension.ts';

// With a space, which ids from operators can't have.
const CLOSING_ID = 'account closed';

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
	migrate(sql);
	if (credits.read() !== null) return;
	const empty: AccountState = {
		balance: EMPTY_BALANCE,
		transactions: 0,
		lastTransactionAt: null,
		owner,
		limits: {},
		windows: {},
		today: { day: dayOf(now), keys: {} },
		ledger: { keptFrom: 0, deleted: 0 },
	};
	if (key !== null) writeKey(sql, newKey(key, now));
	if (initialCredits === 0) {
		credits.write(empty);
		return;
	}
	wakeBy(now + DAY_MS);
	const first = { id: INITIAL_GRANT_ID, credits: initialCredits, now };
	recordGrant(credits, empty, grant(EMPTY_BALANCE, initialCredits), first);
}

/**
 * Closes the account for good. The ledger's figures stay; reported outcomes are deleted. The remaining credits are
 * withdrawn, so that no work can begin any more. The alarm deletes the blobs.
 */
export function closeAccount(account: AccountContext, { now }: { now: number }): void {
	const { sql, credits, webhooks, wakeBy } = account;
	if (!credits.exists) return;
	wakeBy(now);
	const { suspendedAt, closedAt } = readSuspension(sql);
	if (closedAt !== null) return;
	writeSuspension(sql, { suspendedAt, closedAt: now });
	endKeys(sql, now);
	deleteAll(sql);
	// Before jobs end: no endpoint gets an event any more.
	webhooks.storage.clear();
	abandonAll(account, now);
	// Otherwise a credit of a call that is under way would be left after the withdrawal.
	credits.holds.clear();
	const state = requireState(credits);
	const left = available(state.balance);
	const balance = left === 0 ? null : withdraw(state.balance, left);
	if (balance !== null) recordGrant(credits, state, balance, { id: CLOSING_ID, credits: -left, now });
}
