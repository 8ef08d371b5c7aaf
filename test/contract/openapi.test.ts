import { beforeAll, describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, expectRateLimited, newClient } from './api.ts';
import { exampledSchemas, faultsOf } from '../support/openapi/json-schema.ts';
import { operationsOf } from '../support/openapi/document.ts';
import type { Document } from '../support/openapi/document.ts';
import { setLimits } from './operator.ts';

// GET /openapi.json describes what is served: every live answer fits it, and every served route is in it.

const service = inject('service');

/** The calls of the API: the operationId and the statuses of each. */
const CALLS: Readonly<Record<string, readonly [operationId: string, statuses: string]>> = {
	'POST /v1/verify': ['verifyAddress', '200 400 401 402 403 405 409 429 500 502 503'],
	'POST /v1/domains': ['describeDomains', '200 400 401 402 403 405 409 429 500 502 503'],
	'GET /v1/credits': ['getCredits', '200 401 405 429 500 503'],
	'POST /v1/verify-batch': ['createJob', '202 400 401 402 403 405 409 429 500 503'],
	'GET /v1/jobs/{jobId}': ['getJob', '200 401 403 404 405 429 500 503'],
	'DELETE /v1/jobs/{jobId}': ['deleteJob', '204 401 403 404 405 409 429 500 503'],
	'GET /v1/jobs/{jobId}/results': ['getJobResults', '200 400 401 403 404 405 409 410 429 500 503'],
	'GET /v1/jobs': ['listJobs', '200 400 401 403 405 429 500 503'],
	'GET /v1/jobs/{jobId}/download': ['downloadJob', '200 400 401 403 404 405 409 410 429 500 503'],
	'GET /v1/jobs/{jobId}/rejected': ['getRejected', '200 400 401 403 404 405 410 429 500 503'],
	'POST /v1/jobs/{jobId}/finish': ['finishJob', '200 401 403 404 405 409 429 500 503'],
	'GET /v1/catchall': ['listTasks', '200 400 401 403 405 429 500 503'],
	'POST /v1/catchall': ['createTask', '202 400 401 402 403 404 405 409 410 429 500 503'],
	'GET /v1/catchall/{taskId}': ['getTask', '200 401 403 404 405 429 500 503'],
	'GET /v1/catchall/{taskId}/results': ['getTaskResults', '200 400 401 403 404 405 409 410 429 500 503'],
	'GET /v1/catchall/{taskId}/download': ['downloadTask', '200 400 401 403 404 405 409 410 429 500 503'],
	'GET /v1/webhooks': ['listWebhooks', '200 401 403 405 429 500 503'],
	'POST /v1/webhooks': ['createWebhook', '201 400 401 403 405 409 429 500 503'],
	'PATCH /v1/webhooks': ['changeWebhookSettings', '200 400 401 403 405 429 500 503'],
	'GET /v1/webhooks/{webhookId}': ['getWebhook', '200 401 403 404 405 429 500 503'],
	'PATCH /v1/webhooks/{webhookId}': ['changeWebhook', '200 400 401 403 404 405 429 500 503'],
	'DELETE /v1/webhooks/{webhookId}': ['deleteWebhook', '204 401 403 404 405 429 500 503'],
	'POST /v1/webhooks/{webhookId}/rotate-secret': ['rotateWebhookSecret', '200 401 403 404 405 429 500 503'],
	'POST /v1/webhooks/{webhookId}/test': ['testWebhook', '202 401 403 404 405 409 429 500 503'],
	'GET /v1/webhooks/{webhookId}/deliveries': ['listWebhookDeliveries', '200 400 401 403 404 405 429 500 503'],
	'POST /v1/webhooks/{webhookId}/deliveries/{eventId}/replay': [
		'replayWebhookDelivery',
		'202 401 403 404 405 409 429 500 503',
	],
	'POST /v1/feedback': ['sendFeedback', '200 400 401 403 405 429 500 503'],
};

let document: Document;

beforeAll(async () => {
	const { status, headers, body } = await call(service.url, null, 'GET', '/openapi.json');
	expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
	document = body as Document;
});

const operations = () => operationsOf(document);

describe('the document', () => {
	test('is OpenAPI 3.1 with a title, a version and this server', () => {
		expect(document.openapi).toMatch(/^3\.1\.\d+$/);
		expect(document.info).toMatchObject({ title: 'Mailsonar', version: expect.stringMatching(/\S/) });
		expect(document.servers).toEqual([{ url: '/', description: 'This service' }]);
	});

	test('has no default and no example that its own schema refuses', () => {
		const found = exampledSchemas(document);
		expect(found.map(({ at }) => at)).toEqual(
			expect.arrayContaining(['#/components/schemas/Error', '#/components/schemas/BatchRequest']),
		);
		for (const { at, schema, values } of found)
			for (const value of values)
				expect(faultsOf(schema, value, document.components.schemas), at).toEqual([]);
	});

	test('publishes page and limit as whole numbers with their bounds and defaults', () => {
		const paged = operations().filter(([, { parameters = [] }]) =>
			parameters.some(({ name }) => name === 'page' || name === 'limit'),
		);
		expect(paged.map(([name]) => name)).toEqual([
			'GET /v1/jobs/{jobId}/results',
			'GET /v1/jobs',
			'GET /v1/jobs/{jobId}/rejected',
			'GET /v1/catchall',
			'GET /v1/catchall/{taskId}/results',
			'GET /v1/webhooks/{webhookId}/deliveries',
		]);
		for (const [name, { parameters = [] }] of paged) {
			const schemas = new Map(parameters.map((parameter) => [parameter.name, parameter.schema]));
			const page = { type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 };
			expect(schemas.get('page'), name).toMatchObject(page);
			expect(schemas.get('limit'), name).toMatchObject({ ...page, maximum: 500, default: 25 });
		}
	});

	test('lists exactly the routes under /v1 that are served', async () => {
		expect(operations().map(([name]) => name)).toEqual(Object.keys(CALLS));
		const { apiKey } = await makeAccount(service);
		for (const [name] of operations()) {
			const [method = '', path = ''] = name.split(' ');
			const { status, text } = await call(service.url, apiKey, method, path);
			// Nobody's job is a 404 as well, in words of its own.
			if (path.includes('{jobId}')) expect(text, name).toContain('no such job');
			else if (path.includes('{taskId}')) expect(text, name).toContain('no such task');
			else if (path.includes('{webhookId}') && method !== 'PATCH')
				expect(text, name).toContain('no such webhook');
			else expect([404, 405], name).not.toContain(status);
		}
	});

	test('gives every operation a name of its own and a summary of at most three words', () => {
		const ids = operations().map(([, { operationId }]) => operationId);
		expect(ids).toEqual(Object.values(CALLS).map(([id]) => id));
		for (const [name, { summary }] of operations()) expect(summary, name).toMatch(/^[A-Z]\S*(?: \S+){1,2}$/);
	});

	test('says how to authenticate: by either header', () => {
		expect(document.components.securitySchemes).toMatchObject({
			bearer: { type: 'http', scheme: 'bearer' },
			apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
		});
		expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
	});

	test('documents the error statuses of each operation', () => {
		const statuses = operations().map(([name, { responses }]) => [name, Object.keys(responses).join(' ')]);
		expect(Object.fromEntries(statuses)).toEqual(
			Object.fromEntries(Object.entries(CALLS).map(([name, [, all]]) => [name, all])),
		);
	});

	test('documents Retry-After, Allow and WWW-Authenticate where they are sent', () => {
		for (const [name, { responses }] of operations()) {
			const withHeader = (header: string) =>
				Object.keys(responses).filter((status) => header in (responses[status]?.headers ?? {}));
			expect(withHeader('Retry-After'), name).toEqual(['429', '503']);
			expect(withHeader('Allow'), name).toEqual(['405']);
			expect(withHeader('WWW-Authenticate'), name).toEqual(['401']);
		}
	});

	test('answers with the same content to everybody', async () => {
		const { apiKey } = await makeAccount(service);
		expect((await call(service.url, apiKey, 'GET', '/openapi.json')).body).toEqual(document);
	});
});

describe('every call', () => {
	test.each(Object.keys(CALLS))('%s: a 401 without a key, a 429 when the window is full', async (name) => {
		const [method = '', template = ''] = name.split(' ');
		const path = template.replaceAll(/\{\w+\}/g, 'none');
		expectFailure(await call(service.url, null, method, path, undefined, newClient()), 401);
		const { accountId, apiKey } = await makeAccount(service);
		await setLimits(accountId, { default: 0, batch: 0, polling: 0 });
		expectRateLimited(await call(service.url, apiKey, method, path));
	});
});
