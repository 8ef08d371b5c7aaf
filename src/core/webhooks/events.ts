/** The events that an account can receive. */
export const WEBHOOK_EVENTS = [
	'job.completed',
	'job.failed',
	'catchall.completed',
	'catchall.failed',
	'credits.low',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/**
 * The event with which an owner tries an endpoint. We send it on request, to one endpoint, whatever events that
 * endpoint has chosen.
 */
export const TEST_EVENT = 'webhook.test';

export type SentEventType = WebhookEventType | typeof TEST_EVENT;

/** The threshold of low credits, for webhooks, mails and pages. */
export interface LowCredits {
	/** In credits; null: the account gets no notice. */
	readonly below: number | null;
	/** The balance is below the threshold, and the account got the notice. */
	readonly isLow: boolean;
}

/** The highest threshold. */
export const CREDITS_LOW_MAX = 1_000_000_000;

/**
 * The threshold's new state at a balance, or null if it doesn't change. After a notice, the balance has to reach the
 * threshold before there is another one. The balance includes reserved credits; otherwise each call that ends as
 * `unknown` would cross it twice.
 */
export function crossed<T extends LowCredits>(low: T, balance: number): T | null {
	const isLow = low.below !== null && balance < low.below;
	return isLow === low.isLow ? null : { ...low, isLow };
}
