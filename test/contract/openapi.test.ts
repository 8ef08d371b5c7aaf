import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, expectRateLimited, newClient } from './api.ts';
import { COPY, operationsOf } from '../support/openapi/document.ts';
import type { Document } from '../support/openapi/document.ts';
import { setLimits } from './operator.ts';

// GET /openapi.json describes what is served. Its copy in docs shows each operation and status to a reader of changes.

const service = inject('service');
const document = JSON.parse(readFileSync(COPY, 'utf8')) as Document;
const operations = operationsOf(document);

describe('the document', () => {
	test('is served to everybody, with this server', async () => {
		const { apiKey } = await makeAccount(service);
		for (const key of [null, apiKey]) {
			const { status, headers, body } = await call(service.url, key, 'GET', '/openapi.json');
			expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
			const { paths, components, servers } = body as Document;
			expect(servers).toEqual([{ url: '/', description: 'This service' }]);
			expect(operationsOf({ ...document, paths, components }).map(([name]) => name)).toEqual(
				operations.map(([name]) => name),
			);
		}
	});

	test('publishes page and limit as whole numbers with their bounds and defaults', () => {
		const paged = operations.filter(([, { parameters = [] }]) =>
			parameters.some(({ name }) => name === 'page' || name === 'limit'),
		);
		expect(paged).toHaveLength(6);
		for (const [name, { parameters = [] }] of paged) {
			const schemas = new Map(parameters.map((parameter) => [parameter.name, parameter.schema]));
			const page = { type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 };
			expect(schemas.get('page'), name).toMatchObject(page);
			expect(schemas.get('limit'), name).toMatchObject({ ...page, maximum: 500, default: 25 });
		}
	});

	test('says how to authenticate: by either header', () => {
		expect(document.components.securitySchemes).toMatchObject({
			bearer: { type: 'http', scheme: 'bearer' },
			apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
		});
		expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
	});

	test('has a short summary of each call, and Retry-After, Allow and WWW-Authenticate where they are sent', () => {
		for (const [name, { summary, responses }] of operations) {
			expect(summary, name).toMatch(/^[A-Z]\S*(?: \S+){1,2}$/);
			const withHeader = (header: string) =>
				Object.keys(responses).filter((status) => header in (responses[status]?.headers ?? {}));
			expect(withHeader('Retry-After'), name).toEqual(['429', '503']);
			expect(withHeader('Allow'), name).toEqual(['405']);
			expect(withHeader('WWW-Authenticate'), name).toEqual(['401']);
		}
	});
});

test.each(operations.map(([name]) => name))(
	'%s: a 401 without a key, a 429 when the window is full',
	async (name) => {
		const [method = '', template = ''] = name.split(' ');
		const path = template.replaceAll(/\{\w+\}/g, 'none');
		expectFailure(await call(service.url, null, method, path, undefined, newClient()), 401);
		const { accountId, apiKey } = await makeAccount(service);
		await setLimits(accountId, { default: 0, batch: 0, polling: 0 });
		expectRateLimited(await call(service.url, apiKey, method, path));
	},
);
