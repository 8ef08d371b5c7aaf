import { RECIPIENTS_PER_MINUTE_MIN } from './budget.ts';
import type { Budget } from './budget.ts';
import { dayOf } from './day-book.ts';

/** The change that the answers of one unknown machine made to its day's budget. */
export interface Growth {
	/** Times the day's recipients. */
	readonly factor: number;
	/** Days (UTC) with answers since the last refusal. */
	readonly goodDays: number;
	/** The last day that counted, as days since 1970. */
	readonly day: number;
}

/** The growth of a machine that we never asked. */
export const UNGROWN: Growth = { factor: 1, goodDays: 0, day: 0 };

const WEEK = 7;
// The ceiling of four machines of a network, so that a grown one stays below its network's ceiling.
const FACTOR_MAX = 4;
const FACTOR_MIN = 1 / 8;

/** The growth after an answer about a mailbox: each seventh day with answers doubles it. */
export function afterAnswer(growth: Growth, now: number): Growth {
	const day = dayOf(now);
	if (day === growth.day) return growth;
	const goodDays = growth.goodDays + 1;
	const factor = goodDays % WEEK === 0 ? Math.min(FACTOR_MAX, growth.factor * 2) : growth.factor;
	return { factor, goodDays, day };
}

/** The growth after the machine refused us: half of it, and a new week. Further refusals of that day change nothing. */
export function shrunk(growth: Growth, now: number): Growth {
	const day = dayOf(now);
	if (day === growth.day && growth.goodDays === 0) return growth;
	return { factor: Math.max(FACTOR_MIN, growth.factor / 2), goodDays: 0, day };
}

/** The budget with a day that grew. The minute stays: the load that a machine takes at once does not show in its answers. */
export function grown(budget: Budget, { factor }: Growth): Budget {
	const recipientsPerDay = Math.max(RECIPIENTS_PER_MINUTE_MIN, Math.floor(budget.recipientsPerDay * factor));
	return { ...budget, recipientsPerDay };
}
