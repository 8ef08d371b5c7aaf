import { readFileSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, expectRateLimited, newClient } from './api.ts';
import { COPY, operationsOf } from '../support/openapi/document.ts';
import type { Document } from '../support/openapi/document.ts';
import { setLimits } from './operator.ts';

// GET /openapi.json describes what is served; its copy in docs shows what it says (test/unit/openapi).

const service = inject('service');
const document = JSON.parse(readFileSync(COPY, 'utf8')) as Document;
const operations = operationsOf(document);

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

/** The key of an account that is let in for nothing. */
let full = '';
beforeAll(async () => {
	const { accountId, apiKey } = await makeAccount(service);
	await setLimits(accountId, { default: 0, batch: 0, polling: 0 });
	full = apiKey;
});

test.each(operations.map(([name]) => name))(
	'%s: a 401 without a key, a 429 when the window is full',
	async (name) => {
		const [method = '', template = ''] = name.split(' ');
		const path = template.replaceAll(/\{\w+\}/g, 'none');
		expectFailure(await call(service.url, null, method, path, undefined, newClient()), 401);
		expectRateLimited(await call(service.url, full, method, path));
	},
);
