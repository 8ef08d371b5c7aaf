import { asksForNothing, freeAnswersLeft } from '../../../core/credits/free-answers.ts';
import type { Payer } from '../../../core/turns/who.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { AccountContext } from '../context.ts';
import { usageAt } from './storage.ts';
import type { AccountState } from './storage.ts';

/** Whether the account refuses all requests. */
export function isShut({ suspendedAt, closedAt }: AccountState): boolean {
	return suspendedAt !== null || closedAt !== null;
}

/** The state with one more transaction: a charge, a refund or a grant. */
export function withTransaction(state: AccountState, now: number): AccountState {
	const lastTransactionAt = Math.max(state.lastTransactionAt ?? 0, now);
	return { ...state, transactions: state.transactions + 1, lastTransactionAt };
}

/** How many more questions may end without a charge today. */
export function freeAnswersLeftOf({ credits }: Pick<AccountContext, 'credits'>, now: number): number {
	const state = credits.read();
	return state === null ? 0 : freeAnswersLeft(state.granted, answersToday(state, now));
}

/**
 * Until when the account pays for the answer to a call. Left out: for as long as it takes. While most of today's answers
 * were free it has a time, which is longer than any answer takes: a prober doubts whether such a question ends with a charge.
 */
export function patienceOf(
	{ credits }: Pick<AccountContext, 'credits'>,
	now: number,
): Pick<Payer, 'paysUntil'> {
	return asksForNothing(answersToday(credits.require(), now)) ? { paysUntil: now + DAY_MS } : {};
}

function answersToday({ today }: Pick<AccountState, 'today'>, now: number) {
	const { keys, free = 0 } = usageAt(today, now);
	return { free, charged: Object.values(keys).reduce((sum, usage) => sum + usage.credits, 0) };
}
