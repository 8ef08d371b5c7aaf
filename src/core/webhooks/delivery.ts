import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';

const SECOND_MS = 1_000;

/** The pauses after failed attempts: those that Standard Webhooks recommends, up to ten hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
	5 * SECOND_MS,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	2 * HOUR_MS,
	5 * HOUR_MS,
	10 * HOUR_MS,
];
/** The pause after an attempt (from 1) that failed; undefined: it was the last. */
export function pauseAfter(attempt: number): number | undefined {
	return RETRY_DELAYS_MS[attempt - 1];
}

/** Attempts before a delivery is given up. */
export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;
/** How long an endpoint may take to answer. */
export const ANSWER_MS = 10 * SECOND_MS;
// The look-up of the endpoint's name comes before its answer.
const ATTEMPT_MS = 2 * ANSWER_MS;
/** The pause after our own resolver failed, which uses up no attempt. */
export const OUTAGE_PAUSE_MS = MINUTE_MS;
/** An endpoint is disabled when a delivery is given up after this long without a successful one. */
export const FAILING_MAX_MS = 5 * 24 * HOUR_MS;
/** Ended deliveries that are kept for an endpoint, and for how long; beyond WAITING_MAX waiting ones the oldest end. */
export const ENDED_MAX = 500;
export const WAITING_MAX = 3_000;
export const DELIVERIES_KEPT_MS = 30 * 24 * HOUR_MS;

/** How long events are also signed with the former secret after a rotation. */
export const FORMER_SECRET_MS = 24 * HOUR_MS;

/** Reasons why an endpoint gave no answer. */
export const DELIVERY_FAULTS = {
	timed_out: 'The endpoint did not answer within 10 seconds',
	not_connected: 'No connection to the endpoint, or no valid certificate',
	no_address: "The endpoint's host name has no address",
	not_public: "The endpoint's host name does not lead to public addresses only",
	refused_url: "The endpoint's URL is not allowed any more",
	no_secret: 'The signing secret is no longer valid: rotate it',
	disabled: 'The endpoint was disabled',
	too_many: 'Too many newer events were waiting for the endpoint',
	unfinished: 'The last attempt broke off on our side: it may have arrived',
} as const;
export type DeliveryFault = keyof typeof DELIVERY_FAULTS;

/** The result of an attempt. */
export type DeliveryReply =
	| { readonly kind: 'answered'; readonly code: number }
	| { readonly kind: 'fault'; readonly fault: DeliveryFault }
	/** We could not try, by our own fault. */
	| { readonly kind: 'outage' };

/** The consequence of an attempt. */
export type AfterAttempt =
	| { readonly kind: 'delivered' }
	| { readonly kind: 'retry'; readonly at: number }
	/** `gone`: the endpoint accepts no more events (HTTP 410). */
	| { readonly kind: 'given_up'; readonly gone: boolean }
	/** The attempt is not counted. */
	| { readonly kind: 'put_off'; readonly at: number };

/**
 * Judges the `attempt`th attempt (from 1), which ended at `now`. Any 2xx is a success. Everything else is a failure,
 * including redirects, which we don't follow: an owner who moves an endpoint has to change it here.
 */
export function judgeAttempt(
	attempt: number,
	reply: DeliveryReply,
	now: number,
	pause = pauseAfter,
): AfterAttempt {
	if (reply.kind === 'outage') return { kind: 'put_off', at: now + OUTAGE_PAUSE_MS };
	if (reply.kind === 'answered') {
		if (reply.code >= 200 && reply.code < 300) return { kind: 'delivered' };
		if (reply.code === 410) return { kind: 'given_up', gone: true };
	}
	const delay = pause(attempt);
	return delay === undefined ? { kind: 'given_up', gone: false } : { kind: 'retry', at: now + delay };
}

/**
 * When a delivery is due again if our process dies during its `attempt`th attempt (from 1), which begins at `now`.
 * That is after the longest attempt, so that no two overlap, and the pause after a failed one.
 */
export function dueAfterDeath(attempt: number, now: number, pause = pauseAfter): number {
	return now + ATTEMPT_MS + (pause(attempt) ?? 0);
}

/** Whether an endpoint that has failed since then is disabled when a delivery to it is given up. */
export function isFailingTooLong(failingSince: number, now: number): boolean {
	return now - failingSince >= FAILING_MAX_MS;
}
