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
