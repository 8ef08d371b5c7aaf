import { rowOf } from '../verification/sub-status.ts';
import type { SubStatus } from '../verification/sub-status.ts';

// An `unknown` is free for the account, but costs us time and reputation with mail hosts. So we limit a day how many
// recipients a single call may ask about for nothing, and how many rows of lists may end so.

/** The limit a day, by the credits that the account was ever granted. The last row that fits counts. */
const CEILINGS: readonly { readonly grantedFrom: number; readonly perDay: number }[] = [
	{ grantedFrom: 0, perDay: 1_000 },
	{ grantedFrom: 1_000, perDay: 10_000 },
	{ grantedFrom: 50_000, perDay: 50_000 },
	{ grantedFrom: 1_000_000, perDay: 250_000 },
];

/** Whether the answer was free but cost us a question or a look-up. */
export function isFreeAnswer(subStatus: SubStatus): boolean {
	const { silence = 'unasked' } = rowOf(subStatus);
	return silence !== 'unasked' && silence !== 'ours';
}

/** The free answers a day that an account has without any charged answer. */
export function freeAnswersPerDay(granted: number): number {
	return CEILINGS.findLast(({ grantedFrom }) => granted >= grantedFrom)?.perDay ?? 0;
}

// An undecided catch-all takes four recipients: the address, and three invented ones. So as many of these as charged answers
// are no exception.
const FREE_FOR_EACH_CREDIT = 5;
// A day may begin with a few of them.
const FREE_AT_FIRST = 10;

/**
 * Whether the account pays for so little of what it asks that mail hosts hear little of it beside others: an answer that
 * decides still counts as paid there.
 *
 * @param today recipients who replied for nothing, and what the account was charged for, in credits
 */
export function asksForNothing({
	free,
	charged,
}: {
	readonly free: number;
	readonly charged: number;
}): boolean {
	return free > FREE_AT_FIRST + FREE_FOR_EACH_CREDIT * Math.max(0, charged);
}

/**
 * How many more questions may end without a charge today: each charged answer buys one.
 *
 * @param today the account's free answers of this day (UTC), and what it was charged for, in credits
 */
export function freeAnswersLeft(
	granted: number,
	today: { readonly free: number; readonly charged: number },
): number {
	return Math.max(0, freeAnswersPerDay(granted) + Math.max(0, today.charged) - today.free);
}
