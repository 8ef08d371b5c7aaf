/** The events that an account can receive. */
export const WEBHOOK_EVENTS = [
	'job.completed',
	'job.failed',
	'catchall.completed',
	'catchall.failed',
	'credits.low',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** The event by which an owner tries an endpoint. It is sent on request, to one endpoint, whatever its events. */
export const TEST_EVENT = 'webhook.test';

export type SentEventType = WebhookEventType | typeof TEST_EVENT;
