import { expect, inject, onTestFinished, test } from 'vitest';
import { SENT_BODIES } from '../../src/http/schemas/webhook.ts';
import { Receiver } from '../support/receiver.ts';
import { call } from '../support/service.ts';
import { faultsOf } from '../support/openapi/json-schema.ts';
import type { Document } from '../support/openapi/document.ts';
import { submitted } from './jobs-api.ts';
import { newTestKey } from './operator.ts';
import { addWebhook, allWebhooks, until } from './webhooks-api.ts';

// What /openapi.json says of webhooks is what is answered and sent.

const service = inject('service');

const document = (await call(service.url, null, 'GET', '/openapi.json')).body as Document;

test('a test key has webhooks of its own, and every event that its words bring fits its schema', async () => {
	const { apiKey: testKey, liveKey } = await newTestKey();
	const receiver = new Receiver();
	await receiver.start();
	onTestFinished(() => receiver.kill());
	const { secret } = await addWebhook(testKey, receiver.url);
	expect((await allWebhooks(liveKey)).webhooks).toEqual([]);
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
