import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import { changeWebhook } from '../../operations/webhooks/change-webhook.ts';
import { createWebhook } from '../../operations/webhooks/create-webhook.ts';
import { listDeliveries } from '../../operations/webhooks/list-deliveries.ts';
import { listWebhooks } from '../../operations/webhooks/list-webhooks.ts';
import type { WebhookView } from '../../operations/webhooks/port.ts';
import { removeWebhook } from '../../operations/webhooks/remove-webhook.ts';
import { replayDelivery } from '../../operations/webhooks/replay-delivery.ts';
import { rotateSecret } from '../../operations/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../operations/webhooks/send-test-event.ts';
import { setCreditsLow } from '../../operations/webhooks/set-credits-low.ts';
import { showWebhook } from '../../operations/webhooks/show-webhook.ts';
import { enter } from '../admission.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { withQuery } from '../job-requests.ts';
import type { QueryContext } from '../job-requests.ts';
import { pageQuery } from '../job-schemas.ts';
import { readJson } from '../read-json.ts';
import { renderDelivery, renderWebhook } from '../render-webhook.ts';
import { emptyResponse, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
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
} from '../webhook-schemas.ts';

const BODY_OCTETS_MAX = 16_384;
const PATH = '/v1/webhooks';

const security = [{ bearer: [] }, { apiKey: [] }];
const webhookParams = z.object({ webhookId: z.string().openapi({ example: 'whk_1f0c' }) });
const eventParams = webhookParams.extend({ eventId: z.string().openapi({ example: 'evt_1f0c' }) });
const bodyOf = <S extends z.ZodType>(schema: S) => ({
	required: true,
	content: { 'application/json': { schema } },
});

const createRouteOf = createRoute({
	operationId: 'createWebhook',
	method: 'post',
	path: PATH,
	summary: 'Be told of events at a URL',
	description: 'Without `events` the endpoint is told of all. The secret is shown only in this answer.',
	security,
	request: { body: bodyOf(newWebhook) },
	responses: { 201: jsonResponse('The webhook', success(webhookWithSecret, {})), ...failures(400, 409, 503) },
});

const listRoute = createRoute({
	operationId: 'listWebhooks',
	method: 'get',
	path: PATH,
	summary: 'All webhooks, and the threshold of credits.low',
	security,
	responses: { 200: jsonResponse('The webhooks', success(webhookList, {})), ...failures(503) },
});

const settingsRoute = createRoute({
	operationId: 'changeWebhookSettings',
	method: 'patch',
	path: PATH,
	summary: 'Set the threshold of credits.low',
	description: 'The event is sent once when the balance falls below, and again after it was reached again.',
	security,
	request: { body: bodyOf(webhookSettings) },
	responses: { 200: jsonResponse('The webhooks', success(webhookList, {})), ...failures(400, 503) },
});

const getRoute = createRoute({
	operationId: 'getWebhook',
	method: 'get',
	path: `${PATH}/{webhookId}`,
	summary: 'How a webhook stands',
	security,
	request: { params: webhookParams },
	responses: { 200: jsonResponse('The webhook', success(webhookSchema, {})), ...failures(404, 503) },
});

const changeRoute = createRoute({
	operationId: 'changeWebhook',
	method: 'patch',
	path: `${PATH}/{webhookId}`,
	summary: 'Change, disable or enable a webhook',
	description: 'What is left out stays. Disabling it ends the deliveries that wait.',
	security,
	request: { params: webhookParams, body: bodyOf(webhookChange) },
	responses: { 200: jsonResponse('The webhook', success(webhookSchema, {})), ...failures(400, 404, 503) },
});

const removeRoute = createRoute({
	operationId: 'deleteWebhook',
	method: 'delete',
	path: `${PATH}/{webhookId}`,
	summary: 'Remove a webhook and its deliveries',
	security,
	request: { params: webhookParams },
	responses: { 204: emptyResponse('It is removed'), ...failures(404, 503) },
});

const rotateRoute = createRoute({
	operationId: 'rotateWebhookSecret',
	method: 'post',
	path: `${PATH}/{webhookId}/rotate-secret`,
	summary: 'Give a webhook a new secret',
	description: 'For 24 hours events carry a signature with each of the two secrets.',
	security,
	request: { params: webhookParams },
	responses: { 200: jsonResponse('The webhook', success(webhookWithSecret, {})), ...failures(404, 503) },
});

const testRoute = createRoute({
	operationId: 'testWebhook',
	method: 'post',
	path: `${PATH}/{webhookId}/test`,
	summary: 'Send a test event to a webhook',
	security,
	request: { params: webhookParams },
	responses: { 202: jsonResponse('Its delivery', success(deliverySchema, {})), ...failures(404, 409, 503) },
});

const deliveriesRoute = createRoute({
	operationId: 'listWebhookDeliveries',
	method: 'get',
	path: `${PATH}/{webhookId}/deliveries`,
	summary: 'What was and will be sent to a webhook, newest first',
	security,
	request: { params: webhookParams, query: pageQuery },
	responses: { 200: jsonResponse('A page', success(deliveryPage, {})), ...failures(400, 404, 503) },
});

const replayRoute = createRoute({
	operationId: 'replayWebhookDelivery',
	method: 'post',
	path: `${PATH}/{webhookId}/deliveries/{eventId}/replay`,
	summary: 'Send an event to a webhook again',
	description: 'With the same `webhook-id` and the same body, at once and with all its attempts.',
	security,
	request: { params: eventParams },
	responses: { 202: jsonResponse('Its delivery', success(deliverySchema, {})), ...failures(404, 409, 503) },
});

/** /v1/webhooks and what is below. */
export function addWebhooks(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, listRoute, async (c) => {
		await enter(c, 'default');
		return list(c);
	});
	serve(api, paths, createRouteOf, create);
	serve(api, paths, settingsRoute, async (c) => {
		const { creditsLowBelow: below } = await read(c, webhookSettings);
		await setCreditsLow(c.var.services, c.var.credential, { below });
		return list(c);
	});
	serve(api, paths, getRoute, async (c) => {
		await enter(c, 'default');
		return reply(c, renderWebhook(await showWebhook(c.var.services, c.var.credential, paramsOf(c))));
	});
	serve(api, paths, changeRoute, async (c) => {
		const { webhookId } = paramsOf(c);
		const request = { ...(await read(c, webhookChange)), webhookId };
		return reply(c, renderWebhook(await changeWebhook(c.var.services, c.var.credential, request)));
	});
	serve(api, paths, removeRoute, async (c) => {
		await enter(c, 'default');
		await removeWebhook(c.var.services, c.var.credential, paramsOf(c));
		return c.body(null, 204);
	});
	serve(api, paths, rotateRoute, async (c) => {
		await enter(c, 'default');
		return reply(c, withSecret(await rotateSecret(c.var.services, c.var.credential, paramsOf(c))));
	});
	serve(api, paths, testRoute, async (c) => {
		await enter(c, 'default');
		return reply(c, renderDelivery(await sendTestEvent(c.var.services, c.var.credential, paramsOf(c))), 202);
	});
	serve(api, paths, deliveriesRoute, entersFirst, withQuery(pageQuery), deliveries);
	serve(api, paths, replayRoute, async (c) => {
		await enter(c, 'default');
		return reply(c, renderDelivery(await replayDelivery(c.var.services, c.var.credential, paramsOf(c))), 202);
	});
	describeSent(api);
}

/** The bodies that are sent, in the OpenAPI document. */
function describeSent(api: OpenAPIHono<AppEnv>): void {
	for (const [type, schema] of Object.entries(SENT_BODIES)) {
		api.openAPIRegistry.registerWebhook({
			method: 'post',
			path: type,
			operationId: `on ${type}`,
			summary: `The event ${type}`,
			request: { body: bodyOf(schema) },
			responses: {
				'2XX': { description: 'It arrived. Any other answer is a failure, and it is sent again' },
			},
		});
	}
}

const entersFirst = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
	await enter(c, 'default');
	await next();
};

async function create(c: AppContext): Promise<Response> {
	const { url, events = WEBHOOK_EVENTS } = await read(c, newWebhook);
	return reply(c, withSecret(await createWebhook(c.var.services, c.var.credential, { url, events })), 201);
}

async function list(c: AppContext): Promise<Response> {
	const { webhooks, creditsLowBelow } = await listWebhooks(c.var.services, c.var.credential);
	return reply(c, { webhooks: webhooks.map(renderWebhook), creditsLowBelow });
}

async function deliveries(c: QueryContext<typeof pageQuery>): Promise<Response> {
	const request = { ...c.req.valid('query'), ...paramsOf(c) };
	const page = await listDeliveries(c.var.services, c.var.credential, request);
	return reply(c, { deliveries: page.deliveries.map(renderDelivery), pagination: page.pagination });
}

async function read<S extends z.ZodType>(c: AppContext, schema: S): Promise<z.output<S>> {
	await enter(c, 'default');
	const body = await readJson(c, schema, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	return body.value;
}

function paramsOf(c: AppContext): { readonly webhookId: string; readonly eventId: string } {
	return { webhookId: c.req.param('webhookId') ?? '', eventId: c.req.param('eventId') ?? '' };
}

function withSecret({ webhook, secret }: { webhook: WebhookView; secret: string }) {
	return { ...renderWebhook(webhook), secret };
}

function reply(c: AppContext, data: object, status: 200 | 201 | 202 = 200): Response {
	return c.json({ success: true, data, meta: { requestId: c.var.requestId } }, status);
}
