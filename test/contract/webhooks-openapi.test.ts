import { expect, inject, onTestFinished, test } from 'vitest';
import { SENT_BODIES } from '../../src/http/schemas/webhook.ts';
import { Receiver } from '../support/receiver.ts';
import { call, makeAccount } from '../support/service.ts';
import type { Answer } from './api.ts';
import { faultsOf } from './json-schema.ts';
import { operationsOf } from './openapi-document.ts';
import type { Document } from './openapi-document.ts';
import { submitted } from './jobs-api.ts';
import { dataOf, ops } from './operator.ts';
import { addWebhook, allWebhooks, until, webhooks } from './webhooks-api.ts';

// What /openapi.json says of webhooks is what is answered and sent.

const service = inject('service');

const document = (await call(service.url, null, 'GET', '/openapi.json')).body as Document;
const operations = new Map(operationsOf(document));

async function withKey(ask: (apiKey: string) => Promise<Answer>): Promise<Answer> {
	return ask((await makeAccount(service, 1)).apiKey);
}

function adding(apiKey: string): Promise<Answer> {
	return webhooks(apiKey, 'POST', '', { url: 'https://mx.inbox.test/' });
}

/** An answer about a webhook, to which nothing is ever sent: its host has no public address. */
async function aboutWebhook(ask: (apiKey: string, webhookId: string) => Promise<Answer>): Promise<Answer> {
	return withKey(async (apiKey) => {
		const { body } = await adding(apiKey);
		return ask(apiKey, (body as { data: { webhookId: string } }).data.webhookId);
	});
}

test.each<[string, number, string, () => Promise<Answer>]>([
	['POST /v1/webhooks', 201, 'a webhook', () => withKey((key) => adding(key))],
	['POST /v1/webhooks', 400, 'no URL', () => withKey((key) => webhooks(key, 'POST', '', {}))],
	['GET /v1/webhooks', 200, 'all of them', () => aboutWebhook((key) => webhooks(key, 'GET'))],
	[
		'PATCH /v1/webhooks',
		200,
		'a threshold',
		() => aboutWebhook((key) => webhooks(key, 'PATCH', '', { creditsLowBelow: 5 })),
	],
	[
		'GET /v1/webhooks/{webhookId}',
		200,
		'one of them',
		() => aboutWebhook((key, id) => webhooks(key, 'GET', `/${id}`)),
	],
	[
		'GET /v1/webhooks/{webhookId}',
		404,
		'no webhook',
		() => withKey((key) => webhooks(key, 'GET', '/whk_nobody')),
	],
	[
		'PATCH /v1/webhooks/{webhookId}',
		200,
		'a disabled one',
		() => aboutWebhook((key, id) => webhooks(key, 'PATCH', `/${id}`, { enabled: false })),
	],
	[
		'DELETE /v1/webhooks/{webhookId}',
		204,
		'a removed one',
		() => aboutWebhook((key, id) => webhooks(key, 'DELETE', `/${id}`)),
	],
	[
		'POST /v1/webhooks/{webhookId}/rotate-secret',
		200,
		'a new secret',
		() => aboutWebhook((key, id) => webhooks(key, 'POST', `/${id}/rotate-secret`)),
	],
	[
		'POST /v1/webhooks/{webhookId}/test',
		202,
		'a test event',
		() => aboutWebhook((key, id) => webhooks(key, 'POST', `/${id}/test`)),
	],
	[
		'GET /v1/webhooks/{webhookId}/deliveries',
		200,
		'a page',
		() =>
			aboutWebhook(async (key, id) => {
				await webhooks(key, 'POST', `/${id}/test`);
				return webhooks(key, 'GET', `/${id}/deliveries`);
			}),
	],
	[
		'POST /v1/webhooks/{webhookId}/deliveries/{eventId}/replay',
		404,
		'no delivery',
		() => aboutWebhook((key, id) => webhooks(key, 'POST', `/${id}/deliveries/evt_nobody/replay`)),
	],
])('%s %i: %s', async (name, status, _, answerOf) => {
	const answer = await answerOf();
	expect(answer.status, answer.text).toBe(status);
	const response = operations.get(name)?.responses[String(status)];
	const schema = response?.content?.['application/json']?.schema;
	expect(schema === undefined, name).toBe(status === 204);
	expect(faultsOf(schema ?? {}, answer.body, document.components.schemas), answer.text).toEqual([]);
	for (const header of Object.keys(response?.headers ?? {}))
		expect(answer.headers.get(header), header).not.toBeNull();
});

test('a test key has webhooks of its own, and every event that its words bring fits its schema', async () => {
	const { accountId, apiKey } = await makeAccount(service, 1);
	const made = dataOf(await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'Tests' }), 201);
	const testKey = String(made['apiKey']);
	const receiver = new Receiver();
	await receiver.start();
	onTestFinished(() => receiver.kill());
	const { secret } = await addWebhook(testKey, receiver.url);
	expect((await allWebhooks(apiKey)).webhooks).toEqual([]);
	const at = (word: string): string => `${word}@test.mailsonar.example`;
	const failing = (await submitted(testKey, [at('fails')])).data.jobId;
	const done = (await submitted(testKey, [at('deliverable'), at('catch_all')])).data.jobId;
	await until(() => expect(receiver.received).toHaveLength(2));
	const events = receiver.verified(secret);
	const told = events.map(({ type, data }) => `${type} ${String(data['jobId'])}`);
	expect(told.toSorted()).toEqual([`job.completed ${done}`, `job.failed ${failing}`]);
	for (const { headers, body } of receiver.received) {
		const event = JSON.parse(body) as { type: string };
		const schema = document.webhooks[event.type]?.post.requestBody.content['application/json']?.schema ?? {};
		expect(faultsOf(schema, event, document.components.schemas), String(headers['webhook-id'])).toEqual([]);
	}
});

test('every event that is sent has its schema', () => {
	expect(Object.keys(document.webhooks)).toEqual(Object.keys(SENT_BODIES));
	for (const [type, { post }] of Object.entries(document.webhooks))
		expect(JSON.stringify(post.requestBody.content), type).toContain(type);
});
