import * as z from 'zod';
import { DELIVERY_FAULTS } from '../../core/webhooks/delivery.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import type { DeliveryView } from '../../operations/webhooks/port.ts';
import { component, count, moment, momentOrNull, openWord, text, textOrNull, timestamp } from './fields.ts';
import { DONE_AT } from './verification.ts';

export const EVENT_NAME = /^[a-z_]+(\.[a-z_]+)+$/;

const DELIVERED = {
	eventId: 'evt_1f0c',
	type: 'job.completed',
	status: 'delivered',
	attempts: 1,
	createdAt: DONE_AT,
	nextAttemptAt: null,
	lastAttemptAt: '2026-07-01T10:00:08.120Z',
	lastStatusCode: 204,
	lastError: null,
} as const;

const ON_ITS_WAY = 'An event on its way to one webhook, or to the callback of a job';
export const delivery = component('WebhookDelivery', ON_ITS_WAY, DELIVERED, {
	eventId: text(
		'The id of the event, and its header webhook-id: the same at each attempt. Of a callback, the id of its job',
	),
	type: openWord([...WEBHOOK_EVENTS, TEST_EVENT], 'What happened.', EVENT_NAME),
	status: z
		.enum(['waiting', 'delivered', 'failed'])
		.describe('`waiting`: another attempt follows; `delivered`: an answer of 2xx; `failed`: given up'),
	attempts: count('Attempts so far. A replay starts again'),
	createdAt: moment('When it happened'),
	nextAttemptAt: momentOrNull('When it is sent next', 'null: it is not'),
	lastAttemptAt: momentOrNull('When it was last sent', 'null: not yet'),
	lastStatusCode: z
		.int()
		.min(100)
		.max(999)
		.nullable()
		.describe('The HTTP status of the last answer; null: there was none'),
	lastError: textOrNull('Why there was no answer, for people; null: there was one, or nothing was sent yet'),
});

/** A delivery in the API's form. */
export function renderDelivery(view: DeliveryView): z.infer<typeof delivery> {
	return {
		eventId: view.id,
		type: view.kind,
		status: view.status,
		attempts: view.attempts,
		createdAt: timestamp(view.at),
		nextAttemptAt: timestamp(view.dueAt),
		lastAttemptAt: timestamp(view.lastAt),
		lastStatusCode: view.lastCode,
		lastError: view.fault === null ? null : DELIVERY_FAULTS[view.fault],
	};
}
