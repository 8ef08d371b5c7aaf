import { available, grant, withdraw, viewOfBalance } from '../../../core/credits/balance.ts';
import { assert } from '../../../lib/assert.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Payer } from '../../../core/turns/who.ts';
import type { AccountContext } from '../context.ts';
import { withTransaction } from './books.ts';
import type { AccountState } from './storage.ts';

interface Grant {
	readonly id: string;
	readonly credits: number;
	readonly now: number;
}

/**
 * Adds credits, or withdraws them when `credits` is negative. A repeated id changes nothing, and is a mismatch where it
 * was used for another amount.
 */
export function grantCredits({ sql, credits: books, wakeBy }: AccountContext, request: Grant) {
	const { id, credits, now } = request;
	const state = books.require();
	const earlier = sql.first<Grant>('SELECT credits FROM grants WHERE id = ?', id);
	if (earlier !== null && earlier.credits !== credits)
		return { kind: 'mismatch', credits: earlier.credits } as const;
	if (earlier !== null) return { kind: 'repeated', credits, balance: viewOfBalance(state) } as const;
	if (state.closedAt !== null) return { kind: 'closed' } as const;
	const granted = credits < 0 ? withdraw(state, -credits) : grant(state, credits);
	if (granted === null) return { kind: 'insufficient_credits', available: available(state) } as const;
	wakeBy(now + DAY_MS);
	const next = recordGrant({ sql, credits: books }, granted, request);
	return { kind: 'granted', credits, balance: viewOfBalance(next) } as const;
}

/** Records a grant or a withdrawal, which the state has, in the ledger. */
export function recordGrant(
	{ sql, credits: books }: Pick<AccountContext, 'sql' | 'credits'>,
	state: AccountState,
	{ id, credits, now }: Grant,
): AccountState {
	assert(books.findLine(now, id) === null, 'a line of the ledger has a name of its own');
	const kind = credits < 0 ? 'adjustment' : 'grant';
	books.insertLine({ at: now, id, kind, keyId: null, credits, closedAt: now });
	const next = withTransaction({ ...state, today: books.runningDay(state, now) }, now);
	books.write(next);
	sql.insert('grants', { id, credits });
	return next;
}

/** The account's owner, and whether it never paid or got all of it back: its only credits are those of its trial. */
export function payerOf({ sql }: Pick<AccountContext, 'sql'>): Payer {
	const row = sql.first<{ owner: string | null; paid: number | null }>(`SELECT owner,
		(SELECT SUM(credits) FROM grants WHERE id NOT LIKE 'trial %') AS paid FROM account`);
	assert(row !== null, 'the account was opened');
	return { isTrial: (row.paid ?? 0) <= 0, owner: row.owner ?? undefined };
}
