import type { z } from '@hono/zod-openapi';
import { DELIVERY_FAULTS } from '../core/webhooks/delivery.ts';
import type { DeliveryView, WebhookView } from '../operations/webhooks/port.ts';
import { timestamp } from './render-job.ts';
import type { delivery as deliverySchema, webhook as webhookSchema } from './webhook-schemas.ts';

/** An endpoint in the API's form. */
export function renderWebhook(webhook: WebhookView): z.infer<typeof webhookSchema> {
	return {
		webhookId: webhook.webhookId,
		url: webhook.url,
		events: [...webhook.events],
		enabled: webhook.disabledAt === null,
		disabledBecause: webhook.disabledBecause,
		disabledAt: timestamp(webhook.disabledAt),
		failingSince: timestamp(webhook.failingSince),
		formerSecretUntil: timestamp(webhook.formerSecretUntil),
		createdAt: new Date(webhook.createdAt).toISOString(),
	};
}

/** A delivery in the API's form. */
export function renderDelivery(delivery: DeliveryView): z.infer<typeof deliverySchema> {
	return {
		eventId: delivery.eventId,
		type: delivery.type,
		status: delivery.status,
		attempts: delivery.attempts,
		createdAt: new Date(delivery.at).toISOString(),
		nextAttemptAt: timestamp(delivery.nextAttemptAt),
		lastAttemptAt: timestamp(delivery.lastAttemptAt),
		lastStatusCode: delivery.lastCode,
		lastError: delivery.fault === null ? null : DELIVERY_FAULTS[delivery.fault],
	};
}
