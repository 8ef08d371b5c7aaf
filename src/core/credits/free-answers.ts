import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import { statusOf } from '../verification/sub-status.ts';

// An `unknown` is free, and costs us time and our name with mail hosts all the same. So there are so many a day.

/** Whether an `unknown` of this kind cost a question, or a look-up that nobody answered. */
const COSTS_A_QUESTION = {
	timeout: true,
	no_connect: true,
	unavailable_smtp: true,
	greylisted: true,
	rate_limited: true,
	antispam_system: true,
	gateway_protected: true,
	catch_all_unresolved: true,
	tls_required: true,
	smtputf8_unsupported: true,
	dns_error: true,
	// These are about us, or nobody was asked: no account's list is to blame.
	probe_blocked: false,
	no_capacity: false,
	not_asked: false,
	accepts_everything: false,
	opted_out: false,
	free_limit: false,
	unexpected_error: false,
} as const satisfies Record<SubStatusOf<'unknown'>, boolean>;

/** How many a day an account may have, by the credits that it was ever given; the last row that fits counts. */
const CEILINGS: readonly { readonly grantedFrom: number; readonly perDay: number }[] = [
	{ grantedFrom: 0, perDay: 1_000 },
	{ grantedFrom: 1_000, perDay: 10_000 },
	{ grantedFrom: 50_000, perDay: 50_000 },
	{ grantedFrom: 1_000_000, perDay: 250_000 },
];

/** Whether the answer was free, and cost us something. */
export function isFreeAnswer(subStatus: SubStatus): boolean {
	return isUnknown(subStatus) && COSTS_A_QUESTION[subStatus];
}

/** The free answers a day that come without a paid one. */
export function freeAnswersPerDay(granted: number): number {
	return CEILINGS.findLast(({ grantedFrom }) => granted >= grantedFrom)?.perDay ?? 0;
}

/**
 * How many more questions may end without a charge today: each charged answer buys one.
 *
 * @param today what the account's answers of this day (UTC) were; `charged` in credits
 */
export function freeAnswersLeft(
	granted: number,
	today: { readonly free: number; readonly charged: number },
): number {
	return Math.max(0, freeAnswersPerDay(granted) + Math.max(0, today.charged) - today.free);
}

function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}
