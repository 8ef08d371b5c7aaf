import { available, grant, withdraw } from '../../../core/credits/balance.ts';
import type { Balance } from '../../../core/credits/balance.ts';
import { assert } from '../../../lib/assert.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Payer } from '../../../core/turns/who.ts';
import type { GrantResult } from '../../../operations/accounts/port.ts';
import type { AccountContext } from '../context.ts';
import { requireState, runningDay, viewOfBalance, withTransaction } from './books.ts';
import type { AccountState } from './row.ts';
import type { CreditStorage } from './storage.ts';

/** Adds credits, or withdraws them when `credits` is negative. A repeated id changes nothing. */
export function grantCredits(
	{ credits: books, wakeBy }: AccountContext,
	{ id, credits, now }: { id: string; credits: number; now: number },
): GrantResult {
	const state = requireState(books);
	const earlier = books.findGrant(id);
	if (earlier !== null && earlier !== credits) return { kind: 'mismatch', credits: earlier };
	if (earlier !== null) return { kind: 'repeated', credits: earlier, balance: viewOfBalance(state) };
	if (state.closedAt !== null) return { kind: 'closed' };
	const balance = credits < 0 ? withdraw(state.balance, -credits) : grant(state.balance, credits);
	if (balance === null) return { kind: 'insufficient_credits', available: available(state.balance) };
	wakeBy(now + DAY_MS);
	const next = recordGrant(books, state, balance, { id, credits, now });
	return { kind: 'granted', credits, balance: viewOfBalance(next) };
}

/** Records a grant or a withdrawal in the ledger. */
export function recordGrant(
	books: CreditStorage,
	state: AccountState,
	balance: Balance,
	{ id, credits, now }: { id: string; credits: number; now: number },
): AccountState {
	assert(books.findLine(now, id) === null, 'a line of the ledger has a name of its own');
	const kind = credits < 0 ? 'adjustment' : 'grant';
	const line = { at: now, id, kind, keyId: null, credits } as const;
	books.insertLine(line);
	const next = withTransaction({ ...state, balance, today: runningDay(books, state, now) }, now);
	books.write(next);
	books.insertGrant(id, credits);
	return next;
}

/** The account's owner, and whether it never paid or got all of it back: its only credits are those of its trial. */
export function payerOf({ sql }: Pick<AccountContext, 'sql'>): Payer {
	const row = sql.first<{ owner: string | null; paid: number | null }>(`SELECT owner,
		(SELECT SUM(credits) FROM grants WHERE id NOT LIKE 'trial %') AS paid FROM account`);
	assert(row !== null, 'the account was opened');
	return { isTrial: (row.paid ?? 0) <= 0, owner: row.owner ?? undefined };
}
