import { z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { READING } from '../core/keys/scopes.ts';
import { CREDITS_LOW_MAX, TEST_EVENT, WEBHOOK_EVENTS } from '../core/webhooks/events.ts';
import { listDeliveries, replayDelivery, sendTestEvent } from '../operations/webhooks/deliveries.ts';
import type { DisabledBecause, WebhookView } from '../operations/webhooks/port.ts';
import {
	changeWebhook,
	createWebhook,
	listWebhooks,
	removeWebhook,
	rotateSecret,
	setCreditsLow,
	showWebhook,
} from '../operations/webhooks/webhooks.ts';
import type { AppEnv } from './context.ts';
import { credits } from './credits.ts';
import { endpoint, json } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { count, creditCount, openWord, time } from './fields.ts';
import { job, JOB, pageQuery, pagination } from './job.ts';
import type { Tag } from './openapi.ts';
import { renderDelivery, renderWebhook } from './render.ts';
import { task, TASK } from './tasks.ts';
import { DONE_AT } from './verification.ts';

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
	.openapi({
		type: 'array',
		items: { type: 'string', enum: [...WEBHOOK_EVENTS] },
		minItems: 1,
		description: 'The events that it receives. Left out of a new webhook: all that there are now',
	});
const enabled = z
	.boolean({ error: 'Invalid parameter: enabled must be true or false' })
	.describe('Whether events are sent to it. False ends the deliveries that wait');
const BODY_TEXT = 'The body must be a JSON object';

/** POST /v1/webhooks, request. */
export const newWebhook = z
	.object({ url, events: events.optional() }, { error: `${BODY_TEXT} with a url` })
	.openapi('WebhookRequest', {
		description: 'Where to be told, and of what',
		example: { url: 'https://shop.example/hooks/mailsonar', events: ['job.completed', 'job.failed'] },
	});

/** PATCH /v1/webhooks/:webhookId, request. */
export const webhookChange = z
	.object(
		{ url: url.optional(), events: events.optional(), enabled: enabled.optional() },
		{ error: BODY_TEXT },
	)
	.openapi('WebhookChange', {
		description: 'What to change. What is left out stays',
		example: { events: ['job.completed', 'catchall.completed'] },
	});

const creditsLowBelow = z
	.int({ error: 'Missing or invalid parameter: creditsLowBelow must be a whole number or null' })
	.min(1, 'Invalid parameter: creditsLowBelow is at least 1')
	.max(CREDITS_LOW_MAX, `Invalid parameter: creditsLowBelow is at most ${CREDITS_LOW_MAX}`)
	.nullable()
	.openapi({ format: 'int64' })
	.describe('`credits.low` is sent when the balance falls below this, in credits; null: never');

/** PATCH /v1/webhooks, request. */
export const webhookSettings = z
	.object({ creditsLowBelow }, { error: BODY_TEXT })
	.openapi('WebhookSettings', {
		description: 'What holds for all webhooks',
		example: { creditsLowBelow: 500 },
	});

const EVENT_NAME = /^[a-z_]+(\.[a-z_]+)+$/;
const DISABLED_BECAUSE = ['owner', 'gone', 'failing'] as const satisfies readonly DisabledBecause[];
const webhookId = z.string().describe('The id of the webhook, for its paths');

const WEBHOOK = {
	webhookId: 'whk_1f0c',
	url: 'https://shop.example/hooks/mailsonar',
	events: ['job.completed', 'job.failed'],
	enabled: true,
	disabledBecause: null,
	disabledAt: null,
	failingSince: null,
	formerSecretUntil: null,
	createdAt: '2026-07-01T09:00:00.000Z',
} as const;
// The secret of no webhook: its octets are those of a text that says so.
const SECRET = 'whsec_VGhpcyBpcyBhbiBleGFtcGxlLCBubyBzZWNyZXQuLi4=';
const FAILED = { status: 'failed', error: 'Too much broke on our side: nothing was charged' } as const;

export const webhook = z
	.object({
		webhookId,
		url: z.string().describe('Where events are sent to'),
		events: z
			.array(openWord(WEBHOOK_EVENTS, 'The name of an event.', EVENT_NAME))
			.describe('The events that it receives'),
		enabled: z.boolean().describe('Whether events are sent to it'),
		disabledBecause: openWord(
			DISABLED_BECAUSE,
			'Why it is disabled, `owner`: as you said; `gone`: it answered 410; `failing`: nothing arrived for five days; null: it is not.',
		).nullable(),
		disabledAt: time.nullable().describe('When it was disabled, ISO 8601 in UTC; null: it is not'),
		failingSince: time
			.nullable()
			.describe(
				'Since when no attempt has succeeded, ISO 8601 in UTC; null: the last one did, or none was made',
			),
		formerSecretUntil: time
			.nullable()
			.describe(
				'Until when the secret from before the last rotation signs too, ISO 8601 in UTC; null: it was never rotated',
			),
		createdAt: time.describe('When it was added, ISO 8601 in UTC'),
	})
	.openapi('Webhook', { description: 'A URL of yours that receives events', example: WEBHOOK });

export const webhookWithSecret = z
	.object({
		...webhook.shape,
		secret: z.string().describe('Signs what is sent to it. Shown only now: `whsec_` and 32 bytes in base 64'),
	})
	.openapi('WebhookWithSecret', {
		description: 'A webhook with the secret that was just made for it',
		example: { ...WEBHOOK, secret: SECRET },
	});

export const webhookList = z
	.object({
		webhooks: z.array(webhook).describe('All of the account, the oldest first'),
		creditsLowBelow: creditCount
			.nullable()
			.describe('`credits.low` is sent when the balance falls below this, in credits; null: never'),
	})
	.openapi('WebhookList', {
		description: 'The webhooks of the account, and what holds for all of them',
		example: { webhooks: [WEBHOOK], creditsLowBelow: 500 },
	});

const eventId = z
	.string()
	.describe('The id of the event, and its header webhook-id: the same at each attempt');
const eventType = openWord([...WEBHOOK_EVENTS, TEST_EVENT], 'What happened.', EVENT_NAME);

export const delivery = z
	.object({
		eventId,
		type: eventType,
		status: z
			.enum(['waiting', 'delivered', 'failed'])
			.describe('`waiting`: another attempt follows; `delivered`: an answer of 2xx; `failed`: given up'),
		attempts: count.describe('Attempts so far. A replay starts again'),
		createdAt: time.describe('When it happened, ISO 8601 in UTC'),
		nextAttemptAt: time.nullable().describe('When it is sent next, ISO 8601 in UTC; null: it is not'),
		lastAttemptAt: time.nullable().describe('When it was last sent, ISO 8601 in UTC; null: not yet'),
		lastStatusCode: z
			.int()
			.min(100)
			.max(999)
			.nullable()
			.describe('The HTTP status of the last answer; null: there was none'),
		lastError: z
			.string()
			.nullable()
			.describe('Why there was no answer, for people; null: there was one, or nothing was sent yet'),
	})
	.openapi('WebhookDelivery', {
		description: 'An event on its way to one webhook',
		example: {
			eventId: 'evt_1f0c',
			type: 'job.completed',
			status: 'delivered',
			attempts: 1,
			createdAt: DONE_AT,
			nextAttemptAt: null,
			lastAttemptAt: '2026-07-01T10:00:08.120Z',
			lastStatusCode: 204,
			lastError: null,
		},
	});

export const deliveryPage = z
	.object({ deliveries: z.array(delivery).describe('The newest first'), pagination })
	.openapi('WebhookDeliveryPage', { description: 'A page of what was and will be sent to a webhook' });

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
	z.object({
		type: z.literal(type).describe('What happened: always this word'),
		timestamp: time.describe('When it happened, ISO 8601 in UTC'),
		test: z.boolean().describe('Whether it is of a test key: nothing of it is real'),
		data,
	});

/** The bodies that are sent, by their type. */
export const SENT_BODIES = {
	'job.completed': eventOf('job.completed', job),
	'job.failed': eventOf(
		'job.failed',
		job.openapi({
			description: 'The job, as it stands now',
			example: { ...JOB, ...FAILED, creditsReserved: 0 },
		}),
	),
	'catchall.completed': eventOf('catchall.completed', task),
	'catchall.failed': eventOf(
		'catchall.failed',
		task.openapi({ description: 'The task, as it stands now', example: { ...TASK, ...FAILED } }),
	),
	'credits.low': eventOf(
		'credits.low',
		z
			.object({
				...credits.shape,
				creditsLowBelow: creditCount.describe('The threshold that the balance fell below, in credits'),
			})
			.describe('The credits of the account, and the threshold'),
	),
	[TEST_EVENT]: eventOf(TEST_EVENT, z.object({ webhookId }).describe('The webhook that is tried')),
} as const;

const addWebhook = endpoint({
	id: 'createWebhook',
	call: 'POST /v1/webhooks',
	tag: 'Webhooks',
	says: 'Add a webhook',
	more: 'Without `events` the endpoint receives all of them. The secret is shown only in this answer.',
	scopes: ['lists'],
	window: 'default',
	body: newWebhook,
	gives: json(201, 'The webhook', webhookWithSecret),
	refuses: ['too_many_webhooks'],
	run: async ({ services, credential, body: { url, events = WEBHOOK_EVENTS } }) => {
		const created = await createWebhook(services, credential, { url, events });
		return { data: withSecret(created) };
	},
});

const list = endpoint({
	id: 'listWebhooks',
	call: 'GET /v1/webhooks',
	tag: 'Webhooks',
	says: 'List webhooks',
	more: 'And the threshold of `credits.low`. Secrets are not shown again: rotate one that is lost.',
	scopes: READING,
	window: 'default',
	gives: json(200, 'The webhooks', webhookList),
	run: async ({ services, credential }) => ({ data: await listed(services, credential) }),
});

const changeSettings = endpoint({
	id: 'changeWebhookSettings',
	call: 'PATCH /v1/webhooks',
	tag: 'Webhooks',
	says: 'Set the threshold',
	more: 'The event `credits.low` is sent once when the balance falls below, and again after it was reached again.',
	scopes: ['lists'],
	window: 'default',
	body: webhookSettings,
	gives: json(200, 'The webhooks', webhookList),
	run: async ({ services, credential, body }) => {
		await setCreditsLow(services, credential, { below: body.creditsLowBelow });
		return { data: await listed(services, credential) };
	},
});

const getWebhook = endpoint({
	id: 'getWebhook',
	call: 'GET /v1/webhooks/{webhookId}',
	tag: 'Webhooks',
	says: 'Read a webhook',
	more: 'Whether it is enabled, and since when nothing arrives.',
	scopes: READING,
	window: 'default',
	gives: json(200, 'The webhook', webhook),
	refuses: ['webhook_not_found'],
	run: async ({ services, credential, params }) => ({
		data: renderWebhook(await showWebhook(services, credential, params)),
	}),
});

const change = endpoint({
	id: 'changeWebhook',
	call: 'PATCH /v1/webhooks/{webhookId}',
	tag: 'Webhooks',
	says: 'Change a webhook',
	more: 'Also disables or enables it. What is left out stays. Disabling it ends the deliveries that wait.',
	scopes: ['lists'],
	window: 'default',
	body: webhookChange,
	gives: json(200, 'The webhook', webhook),
	refuses: ['webhook_not_found', 'too_many_webhooks'],
	run: async ({ services, credential, params, body }) => ({
		data: renderWebhook(await changeWebhook(services, credential, { ...body, ...params })),
	}),
});

const remove = endpoint({
	id: 'deleteWebhook',
	call: 'DELETE /v1/webhooks/{webhookId}',
	tag: 'Webhooks',
	says: 'Remove a webhook',
	more: 'With its deliveries. What waits for it is not sent any more.',
	scopes: ['lists'],
	window: 'default',
	gives: { status: 204, says: 'It is removed' },
	refuses: ['webhook_not_found'],
	run: async ({ services, credential, params }) => {
		await removeWebhook(services, credential, params);
		return null;
	},
});

const rotate = endpoint({
	id: 'rotateWebhookSecret',
	call: 'POST /v1/webhooks/{webhookId}/rotate-secret',
	tag: 'Webhooks',
	says: 'Renew the secret',
	more: 'For 24 hours events carry a signature with each of the two secrets.',
	scopes: ['lists'],
	window: 'default',
	gives: json(200, 'The webhook', webhookWithSecret),
	refuses: ['webhook_not_found'],
	run: async ({ services, credential, params }) => ({
		data: withSecret(await rotateSecret(services, credential, params)),
	}),
});

const sendTest = endpoint({
	id: 'testWebhook',
	call: 'POST /v1/webhooks/{webhookId}/test',
	tag: 'Webhooks',
	says: 'Test a webhook',
	more: 'It is sent at once, whatever events the webhook asked for. Its deliveries tell what came of it.',
	scopes: ['lists'],
	window: 'default',
	gives: json(202, 'Its delivery', delivery),
	refuses: ['webhook_not_found', 'webhook_disabled'],
	run: async ({ services, credential, params }) => ({
		data: renderDelivery(await sendTestEvent(services, credential, params)),
	}),
});

const deliveries = endpoint({
	id: 'listWebhookDeliveries',
	call: 'GET /v1/webhooks/{webhookId}/deliveries',
	tag: 'Webhooks',
	says: 'List deliveries',
	more: 'What was and will be sent to a webhook, newest first. Those that ended are kept for a limited time.',
	scopes: READING,
	window: 'default',
	query: pageQuery,
	gives: json(200, 'A page', deliveryPage),
	refuses: ['webhook_not_found'],
	run: async ({ services, credential, params, query }) => {
		const page = await listDeliveries(services, credential, { ...query, ...params });
		return { data: { deliveries: page.deliveries.map(renderDelivery), pagination: page.pagination } };
	},
});

const replay = endpoint({
	id: 'replayWebhookDelivery',
	call: 'POST /v1/webhooks/{webhookId}/deliveries/{eventId}/replay',
	tag: 'Webhooks',
	says: 'Repeat a delivery',
	more: 'With the same `webhook-id` and the same body, at once and with all its attempts.',
	scopes: ['lists'],
	window: 'default',
	gives: json(202, 'Its delivery', delivery),
	refuses: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
	run: async ({ services, credential, params }) => ({
		data: renderDelivery(await replayDelivery(services, credential, params)),
	}),
});

async function listed(...of: Parameters<typeof listWebhooks>) {
	const { webhooks, creditsLowBelow: below } = await listWebhooks(...of);
	return { webhooks: webhooks.map(renderWebhook), creditsLowBelow: below };
}

function withSecret({ webhook: made, secret }: { webhook: WebhookView; secret: string }) {
	return { ...renderWebhook(made), secret };
}

/** /v1/webhooks and what is below. */
export const WEBHOOKS: readonly Endpoint[] = [
	addWebhook,
	list,
	changeSettings,
	getWebhook,
	change,
	remove,
	rotate,
	sendTest,
	deliveries,
	replay,
];

/** The bodies that are sent, in the OpenAPI document. */
export function describeSent(api: OpenAPIHono<AppEnv>): void {
	for (const type of Object.keys(SENT_BODIES) as (keyof typeof SENT_BODIES)[]) {
		api.openAPIRegistry.registerWebhook({
			method: 'post',
			path: type,
			operationId: `on-${type.replace('.', '-')}`,
			tags: ['Webhooks' satisfies Tag],
			summary: `The event ${type}`,
			description: `Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.`,
			security: [],
			request: {
				body: {
					description: 'The event',
					required: true,
					content: { 'application/json': { schema: SENT_BODIES[type] } },
				},
			},
			responses: {
				'2XX': { description: 'It arrived' },
				410: { description: 'No more events are wanted: the webhook is disabled' },
				default: { description: 'It did not arrive, and is sent again' },
			},
		});
	}
}
