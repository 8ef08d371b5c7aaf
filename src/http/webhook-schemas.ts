import { z } from '@hono/zod-openapi';
import { CREDITS_LOW_MAX } from '../core/webhooks/credits-low.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../core/webhooks/events.ts';
import { count, job, pagination, time } from './job-schemas.ts';
import { credits } from './schemas.ts';
import { task } from './task-schemas.ts';

const EVENTS_TEXT = `events is a list of at least one of ${WEBHOOK_EVENTS.join(', ')}`;
const url = z
	.string({ error: 'Missing or invalid parameter: url must be a string' })
	.openapi({ description: 'https, port 443 or 8443, at public addresses', maxLength: 2_048 });
const events = z
	.array(z.enum(WEBHOOK_EVENTS, { error: `Invalid parameter: ${EVENTS_TEXT}` }), {
		error: `Invalid parameter: ${EVENTS_TEXT}`,
	})
	.min(1, `Invalid parameter: ${EVENTS_TEXT}`)
	.transform((names) => [...new Set(names)])
	.openapi({ type: 'array', items: { type: 'string', enum: [...WEBHOOK_EVENTS] }, minItems: 1 });
const enabled = z.boolean({ error: 'Invalid parameter: enabled must be true or false' });
const BODY_TEXT = 'The body must be a JSON object';

/** POST /v1/webhooks, request. */
export const newWebhook = z
	.object({ url, events: events.optional() }, { error: `${BODY_TEXT} with a url` })
	.openapi('WebhookRequest', {
		example: { url: 'https://shop.example/hooks/mailsonar', events: ['job.completed', 'job.failed'] },
	});

/** PATCH /v1/webhooks/:webhookId, request. */
export const webhookChange = z
	.object(
		{ url: url.optional(), events: events.optional(), enabled: enabled.optional() },
		{ error: BODY_TEXT },
	)
	.openapi('WebhookChange', { example: { events: ['job.completed', 'catchall.completed'] } });

const creditsLowBelow = z
	.int({ error: 'Missing or invalid parameter: creditsLowBelow must be a whole number or null' })
	.min(1, 'Invalid parameter: creditsLowBelow is at least 1')
	.max(CREDITS_LOW_MAX, `Invalid parameter: creditsLowBelow is at most ${CREDITS_LOW_MAX}`)
	.nullable();

/** PATCH /v1/webhooks, request. */
export const webhookSettings = z
	.object({ creditsLowBelow }, { error: BODY_TEXT })
	.openapi('WebhookSettings', { example: { creditsLowBelow: 500 } });

export const webhook = z
	.object({
		webhookId: z.string(),
		url: z.string(),
		events: z.array(z.string()),
		enabled: z.boolean(),
		disabledBecause: z.enum(['owner', 'gone', 'failing']).nullable().openapi({
			description: 'owner: as you said; gone: it answered 410; failing: nothing arrived for five days',
		}),
		disabledAt: time.nullable(),
		failingSince: time.nullable().openapi({ description: 'Null: the last attempt succeeded' }),
		formerSecretUntil: time
			.nullable()
			.openapi({ description: 'Until when the secret from before the last rotation signs too' }),
		createdAt: time,
	})
	.openapi('Webhook');

export const webhookWithSecret = z
	.object({
		...webhook.shape,
		secret: z.string().openapi({ description: 'Shown only now: `whsec_` and 32 bytes in base 64' }),
	})
	.openapi('WebhookWithSecret');

export const webhookList = z.object({
	webhooks: z.array(webhook),
	creditsLowBelow: count
		.nullable()
		.openapi({ description: '`credits.low` is sent when the balance falls below; null: never' }),
});

export const delivery = z
	.object({
		eventId: z.string().openapi({ description: 'The header webhook-id: the same at each attempt' }),
		type: z.string(),
		status: z.enum(['waiting', 'delivered', 'failed']),
		attempts: count,
		createdAt: time,
		nextAttemptAt: time.nullable(),
		lastAttemptAt: time.nullable(),
		lastStatusCode: z.int().nullable(),
		lastError: z.string().nullable(),
	})
	.openapi('WebhookDelivery');

export const deliveryPage = z.object({ deliveries: z.array(delivery), pagination });

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
	z.object({ type: z.literal(type), timestamp: time, data });

/** The bodies that are sent, by their type. */
export const SENT_BODIES = {
	'job.completed': eventOf('job.completed', job),
	'job.failed': eventOf('job.failed', job),
	'catchall.completed': eventOf('catchall.completed', task),
	'catchall.failed': eventOf('catchall.failed', task),
	'credits.low': eventOf('credits.low', z.object({ ...credits.shape, creditsLowBelow: count })),
	[TEST_EVENT]: eventOf(TEST_EVENT, z.object({ webhookId: z.string() })),
} as const;
