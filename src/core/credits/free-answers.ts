import { unknownOf } from '../verification/sub-status.ts';
import type { SubStatus } from '../verification/sub-status.ts';

// An `unknown` is free for the account, but costs us time and reputation with mail hosts. So we limit their number a
// day.

/** The limit a day, by the credits that the account was ever granted. The last row that fits counts. */
const CEILINGS: readonly { readonly grantedFrom: number; readonly perDay: number }[] = [
	{ grantedFrom: 0, perDay: 1_000 },
	{ grantedFrom: 1_000, perDay: 10_000 },
	{ grantedFrom: 50_000, perDay: 50_000 },
	{ grantedFrom: 1_000_000, perDay: 250_000 },
];

/** Whether the answer was free but cost us something. */
export function isFreeAnswer(subStatus: SubStatus): boolean {
	return unknownOf(subStatus)?.costsAQuestion ?? false;
}

/** The free answers a day that an account has without any charged answer. */
export function freeAnswersPerDay(granted: number): number {
	return CEILINGS.findLast(({ grantedFrom }) => granted >= grantedFrom)?.perDay ?? 0;
}

/**
 * How many more questions may end without a charge today: each charged answer buys one.
 *
 * @param today the account's answers of this day (UTC); `charged` in credits
 */
export function freeAnswersLeft(
	granted: number,
	today: { readonly free: number; readonly charged: number },
): number {
	return Math.max(0, freeAnswersPerDay(granted) + Math.max(0, today.charged) - today.free);
}
