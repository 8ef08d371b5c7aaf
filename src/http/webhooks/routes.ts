import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import { paginate } from '../../core/jobs/pages.ts';
import { READING } from '../../core/keys/scopes.ts';
import {
	changeWebhook,
	createWebhook,
	removeWebhook,
	replayDelivery,
	requireWebhook,
	rotateSecret,
	sendTestEvent,
	showWebhook,
} from '../../operations/webhooks/webhooks.ts';
import type { WebhookView } from '../../operations/webhooks/port.ts';
import { enter } from '../admission.ts';
import { answer, answerNothing } from '../answer.ts';
import type { AnswerTo } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { META, onePage } from '../examples.ts';
import { withQuery } from '../jobs/requests.ts';
import type { QueryContext } from '../jobs/requests.ts';
import { pageQuery } from '../jobs/schemas.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { renderDelivery, renderWebhook } from '../render.ts';
import { BODY_ERRORS, emptyResponse, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
import { DELIVERED, DISABLED_WEBHOOK, SECRET, SENT, WAITING, WAITING_TEST, WEBHOOK } from './examples.ts';
import {
	SENT_BODIES,
	delivery as deliverySchema,
	deliveryPage,
	newWebhook,
	webhook as webhookSchema,
	webhookChange,
	webhookList,
	webhookSettings,
	webhookWithSecret,
} from './schemas.ts';

const BODY_OCTETS_MAX = 16_384;
const PATH = '/v1/webhooks';

const tags = ['Webhooks' satisfies Tag];
const security = [{ bearer: [] }, { apiKey: [] }];
const webhookParams = z.object({
	webhookId: z.string().describe('The id of the webhook').openapi({ example: 'whk_1f0c' }),
});
const eventParams = webhookParams.extend({
	eventId: z.string().describe('The id of the event').openapi({ example: 'evt_1f0c' }),
});
const bodyOf = <S extends z.ZodType>(schema: S) => ({
	required: true,
	content: { 'application/json': { schema } },
});

const LIST_EXAMPLE = {
	summary: 'One webhook, and no threshold yet',
	value: { success: true, data: { webhooks: [WEBHOOK], creditsLowBelow: null }, meta: META },
} as const;
const AGAIN_EXAMPLE = {
	summary: 'An event that is sent again',
	value: { success: true, data: WAITING, meta: META },
} as const;

const createRouteOf = createRoute({
	operationId: 'createWebhook',
	tags,
	method: 'post',
	path: PATH,
	summary: 'Add a webhook',
	description: 'Without `events` the endpoint receives all of them. The secret is shown only in this answer.',
	security,
	request: { body: bodyOf(newWebhook) },
	responses: {
		201: jsonResponse('The webhook', success(webhookWithSecret, {}), {
			added: {
				summary: 'A new webhook',
				value: { success: true, data: { ...WEBHOOK, secret: SECRET }, meta: META },
			},
		}),
		...failures(...BODY_ERRORS, 'too_many_webhooks'),
	},
});

const listRoute = createRoute({
	operationId: 'listWebhooks',
	tags,
	method: 'get',
	path: PATH,
	summary: 'List webhooks',
	description: 'And the threshold of `credits.low`. Secrets are not shown again: rotate one that is lost.',
	security,
	responses: {
		200: jsonResponse('The webhooks', success(webhookList, {}), { list: LIST_EXAMPLE }),
		...failures(),
	},
});

const settingsRoute = createRoute({
	operationId: 'changeWebhookSettings',
	tags,
	method: 'patch',
	path: PATH,
	summary: 'Set the threshold',
	description:
		'The event `credits.low` is sent once when the balance falls below, and again after it was reached again.',
	security,
	request: { body: bodyOf(webhookSettings) },
	responses: {
		200: jsonResponse('The webhooks', success(webhookList, {}), {
			list: {
				summary: 'A threshold of 500 credits',
				value: { success: true, data: { webhooks: [WEBHOOK], creditsLowBelow: 500 }, meta: META },
			},
		}),
		...failures(...BODY_ERRORS),
	},
});

const getRoute = createRoute({
	operationId: 'getWebhook',
	tags,
	method: 'get',
	path: `${PATH}/{webhookId}`,
	summary: 'Read a webhook',
	description: 'Whether it is enabled, and since when nothing arrives.',
	security,
	request: { params: webhookParams },
	responses: {
		200: jsonResponse('The webhook', success(webhookSchema, {}), {
			enabled: {
				summary: 'A webhook whose last event arrived',
				value: { success: true, data: WEBHOOK, meta: META },
			},
		}),
		...failures('webhook_not_found'),
	},
});

const changeRoute = createRoute({
	operationId: 'changeWebhook',
	tags,
	method: 'patch',
	path: `${PATH}/{webhookId}`,
	summary: 'Change a webhook',
	description:
		'Also disables or enables it. What is left out stays. Disabling it ends the deliveries that wait.',
	security,
	request: { params: webhookParams, body: bodyOf(webhookChange) },
	responses: {
		200: jsonResponse('The webhook', success(webhookSchema, {}), {
			disabled: {
				summary: 'A webhook that was disabled',
				value: { success: true, data: DISABLED_WEBHOOK, meta: META },
			},
		}),
		...failures(...BODY_ERRORS, 'webhook_not_found', 'too_many_webhooks'),
	},
});

const removeRoute = createRoute({
	operationId: 'deleteWebhook',
	tags,
	method: 'delete',
	path: `${PATH}/{webhookId}`,
	summary: 'Remove a webhook',
	description: 'With its deliveries. What waits for it is not sent any more.',
	security,
	request: { params: webhookParams },
	responses: { 204: emptyResponse('It is removed'), ...failures('webhook_not_found') },
});

const rotateRoute = createRoute({
	operationId: 'rotateWebhookSecret',
	tags,
	method: 'post',
	path: `${PATH}/{webhookId}/rotate-secret`,
	summary: 'Renew the secret',
	description: 'For 24 hours events carry a signature with each of the two secrets.',
	security,
	request: { params: webhookParams },
	responses: {
		200: jsonResponse('The webhook', success(webhookWithSecret, {}), {
			rotated: {
				summary: 'The former secret signs for another day',
				value: {
					success: true,
					data: { ...WEBHOOK, formerSecretUntil: '2026-07-03T09:00:00.000Z', secret: SECRET },
					meta: META,
				},
			},
		}),
		...failures('webhook_not_found'),
	},
});

const testRoute = createRoute({
	operationId: 'testWebhook',
	tags,
	method: 'post',
	path: `${PATH}/{webhookId}/test`,
	summary: 'Test a webhook',
	description:
		'It is sent at once, whatever events the webhook asked for. Its deliveries tell what came of it.',
	security,
	request: { params: webhookParams },
	responses: {
		202: jsonResponse('Its delivery', success(deliverySchema, {}), {
			waiting: {
				summary: 'A test event that waits to be sent',
				value: { success: true, data: WAITING_TEST, meta: META },
			},
		}),
		...failures('webhook_not_found', 'webhook_disabled'),
	},
});

const deliveriesRoute = createRoute({
	operationId: 'listWebhookDeliveries',
	tags,
	method: 'get',
	path: `${PATH}/{webhookId}/deliveries`,
	summary: 'List deliveries',
	description:
		'What was and will be sent to a webhook, newest first. Those that ended are kept for a limited time.',
	security,
	request: { params: webhookParams, query: pageQuery },
	responses: {
		200: jsonResponse('A page', success(deliveryPage, {}), {
			page: {
				summary: 'An event that arrived',
				value: { success: true, data: { deliveries: [DELIVERED], pagination: onePage(1) }, meta: META },
			},
		}),
		...failures('invalid_parameter', 'webhook_not_found'),
	},
});

const replayRoute = createRoute({
	operationId: 'replayWebhookDelivery',
	tags,
	method: 'post',
	path: `${PATH}/{webhookId}/deliveries/{eventId}/replay`,
	summary: 'Repeat a delivery',
	description: 'With the same `webhook-id` and the same body, at once and with all its attempts.',
	security,
	request: { params: eventParams },
	responses: {
		202: jsonResponse('Its delivery', success(deliverySchema, {}), { waiting: AGAIN_EXAMPLE }),
		...failures('webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
	},
});

/** /v1/webhooks and what is below. */
export function addWebhooks(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, listRoute, READING, async (c) => {
		await enter(c, 'default');
		return answer(c, listRoute, { data: await list(c) });
	});
	serve(api, paths, createRouteOf, ['lists'], create);
	serve(api, paths, settingsRoute, ['lists'], async (c) => {
		const { creditsLowBelow: below } = await read(c, webhookSettings);
		await accountOf(c).setCreditsLow({ below });
		return answer(c, settingsRoute, { data: await list(c) });
	});
	serve(api, paths, getRoute, READING, async (c) => {
		await enter(c, 'default');
		const webhook = await showWebhook(c.var.services, c.var.credential, paramsOf(c));
		return answer(c, getRoute, { data: renderWebhook(webhook) });
	});
	serve(api, paths, changeRoute, ['lists'], async (c) => {
		const request = { ...(await read(c, webhookChange)), ...paramsOf(c) };
		const webhook = await changeWebhook(c.var.services, c.var.credential, request);
		return answer(c, changeRoute, { data: renderWebhook(webhook) });
	});
	serve(api, paths, removeRoute, ['lists'], async (c) => {
		await enter(c, 'default');
		await removeWebhook(c.var.services, c.var.credential, paramsOf(c));
		return answerNothing(removeRoute, c);
	});
	serve(api, paths, rotateRoute, ['lists'], async (c) => {
		await enter(c, 'default');
		const rotated = await rotateSecret(c.var.services, c.var.credential, paramsOf(c));
		return answer(c, rotateRoute, { data: withSecret(rotated) });
	});
	serve(api, paths, testRoute, ['lists'], async (c) => {
		await enter(c, 'default');
		const delivery = await sendTestEvent(c.var.services, c.var.credential, paramsOf(c));
		return answer(c, testRoute, { data: renderDelivery(delivery) });
	});
	serve(api, paths, deliveriesRoute, READING, entersFirst, withQuery(pageQuery), deliveries);
	serve(api, paths, replayRoute, ['lists'], async (c) => {
		await enter(c, 'default');
		const eventId = c.req.param('eventId') ?? '';
		const delivery = await replayDelivery(c.var.services, c.var.credential, { ...paramsOf(c), eventId });
		return answer(c, replayRoute, { data: renderDelivery(delivery) });
	});
	describeSent(api);
}

/** The bodies that are sent, in the OpenAPI document. */
function describeSent(api: OpenAPIHono<AppEnv>): void {
	for (const type of Object.keys(SENT_BODIES) as (keyof typeof SENT_BODIES)[]) {
		const examples = { sent: { summary: `What is sent as ${type}`, value: SENT[type] } };
		api.openAPIRegistry.registerWebhook({
			method: 'post',
			path: type,
			operationId: `on-${type.replace('.', '-')}`,
			tags,
			summary: `The event ${type}`,
			description: `Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.`,
			security: [],
			request: {
				body: {
					description: 'The event',
					required: true,
					content: { 'application/json': { schema: SENT_BODIES[type], examples } },
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

const entersFirst = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
	await enter(c, 'default');
	await next();
};

async function create(c: AppContext): Promise<AnswerTo<typeof createRouteOf>> {
	const { url, events = WEBHOOK_EVENTS } = await read(c, newWebhook);
	const created = await createWebhook(c.var.services, c.var.credential, { url, events });
	return answer(c, createRouteOf, { data: withSecret(created) });
}

async function list(c: AppContext) {
	const { webhooks, creditsLowBelow } = await accountOf(c).listWebhooks();
	return { webhooks: webhooks.map(renderWebhook), creditsLowBelow };
}

async function deliveries(c: QueryContext<typeof pageQuery>): Promise<AnswerTo<typeof deliveriesRoute>> {
	const { page, limit } = c.req.valid('query');
	const found = await accountOf(c).listDeliveries({ ...paramsOf(c), page, pageSize: limit });
	const { deliveries: some, total } = requireWebhook(found);
	const data = { deliveries: some.map(renderDelivery), pagination: paginate(total, page, limit) };
	return answer(c, deliveriesRoute, { data });
}

async function read<S extends z.ZodType>(c: AppContext, schema: S): Promise<z.output<S>> {
	await enter(c, 'default');
	const body = await readJson(c, schema, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	return body.value;
}

const accountOf = (c: AppContext) => c.var.services.accounts(c.var.credential.accountId);

function paramsOf(c: AppContext): { readonly webhookId: string } {
	return { webhookId: c.req.param('webhookId') ?? '' };
}

function withSecret({ webhook, secret }: { webhook: WebhookView; secret: string }) {
	return { ...renderWebhook(webhook), secret };
}
