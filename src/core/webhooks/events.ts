import type { BalanceView } from '../credits/balance.ts';

/** The events that an account can receive, in words for people. */
export const EVENT_MEANINGS = {
	'job.completed': 'A list is done',
	'job.failed': 'A list failed',
	'catchall.completed': 'A catch-all check is done',
	'catchall.failed': 'A catch-all check failed',
	'credits.low': 'Credits run low',
} as const;
export type WebhookEventType = keyof typeof EVENT_MEANINGS;
export const WEBHOOK_EVENTS = Object.keys(EVENT_MEANINGS) as readonly WebhookEventType[];

/**
 * The event with which an owner tries an endpoint. We send it on request, to one endpoint, whatever events that
 * endpoint has chosen.
 */
export const TEST_EVENT = 'webhook.test';

export type SentEventType = WebhookEventType | typeof TEST_EVENT;

/** What each event tells of, before it has the API's form. `Job`: the record of a job, or of a task. */
export type EventFacts<Job> = Readonly<Record<Exclude<WebhookEventType, 'credits.low'>, Job>> & {
	readonly 'credits.low': BalanceView & { readonly creditsLowBelow: number };
	readonly [TEST_EVENT]: { readonly webhookId: string };
};

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
