import { asksForNothing, freeAnswersLeft } from '../../../core/credits/free-answers.ts';
import type { Payer } from '../../../core/turns/who.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { AccountContext } from '../context.ts';
import { requireState, usageAt } from './books.ts';
import type { AccountState } from './row.ts';

type Books = Pick<AccountContext, 'credits'>;

/** How many more questions may end without a charge today. */
export function freeAnswersLeftOf({ credits }: Books, now: number): number {
	const state = credits.exists ? credits.read() : null;
	return state === null ? 0 : freeAnswersLeft(state.balance.granted, answersToday(state, now));
}

/**
 * Until when the account pays for the answer to a call. Left out: for as long as it takes. While most of today's answers
 * were free it has a time, which is longer than any answer takes: a prober doubts whether such a question ends with a charge.
 */
export function patienceOf({ credits }: Books, now: number): Pick<Payer, 'paysUntil'> {
	return asksForNothing(answersToday(requireState(credits), now)) ? { paysUntil: now + DAY_MS } : {};
}

function answersToday({ today }: Pick<AccountState, 'today'>, now: number) {
	const { keys, free = 0 } = usageAt(today, now);
	return { free, charged: Object.values(keys).reduce((sum, usage) => sum + usage.credits, 0) };
}
