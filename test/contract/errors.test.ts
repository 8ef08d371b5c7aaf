import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, newClient, verify } from './api.ts';
import type { Answer } from './api.ts';
import { setLimits } from './operator.ts';

// Spec §7: the envelope of errors, and what is answered where nothing is served.

const service = inject('service');

const request = async (apiKey: string | null, method: string, path: string): Promise<Answer> =>
	call(service.url, apiKey, method, path, undefined, apiKey === null ? newClient() : {});

const UNKNOWN_PATHS = [
	'/v1',
	'/v1/',
	'/v1/nothing',
	'/v1/verify/',
	'/v1/credits/',
	'/v1/verify/extra',
	'/v1//credits',
	'/v1/Credits',
	'/v1/credits%00',
	'/v1/%zz',
	'/v1/%2e%2e%2fops',
];

describe('an unknown path under /v1', () => {
	test.each(UNKNOWN_PATHS)('%s is 404 with a valid key', async (path) => {
		const { apiKey } = await makeAccount(service);
		expectFailure(await request(apiKey, 'GET', path), 404);
		expectFailure(await request(apiKey, 'POST', path), 404);
	});

	test.each(UNKNOWN_PATHS)('%s is 401 without a key, so that nobody can look around', async (path) => {
		expectFailure(await request(null, 'GET', path), 401);
	});

	test('is 404 with a HEAD too, without a body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/nothing');
		expect([answer.status, answer.text]).toEqual([404, '']);
	});
});

describe('a known path with another method is 405 with Allow', () => {
	test.each([
		['/v1/verify', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
		['/v1/credits', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
	])('%s allows %s', async (path, allowed, methods) => {
		const { apiKey } = await makeAccount(service);
		for (const method of methods) {
			const answer = await request(apiKey, method, path);
			expect(expectFailure(answer, 405)).toContain(method);
			expect(answer.headers.get('allow')).toBe(allowed);
		}
	});

	test('HEAD /v1/verify is one of them, without a body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/verify');
		expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([405, 'POST', '']);
	});

	test('HEAD /v1/credits is a GET without the body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/credits');
		expect([answer.status, answer.text]).toEqual([200, '']);
		expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
	});

	test('a 404 and a success have no Allow', async () => {
		const { apiKey } = await makeAccount(service);
		expect((await request(apiKey, 'GET', '/v1/nothing')).headers.get('allow')).toBeNull();
		expect((await request(apiKey, 'GET', '/v1/credits')).headers.get('allow')).toBeNull();
	});
});

describe('an unknown path outside /v1', () => {
	test.each(['/nothing', '/v2/verify', '/V1/credits', '/verify', '/.env', '/v1x'])(
		'%s is 404 in the same envelope, with and without a key',
		async (path) => {
			const { apiKey } = await makeAccount(service);
			expectFailure(await request(null, 'GET', path), 404);
			expectFailure(await request(apiKey, 'POST', path), 404);
		},
	);
});

test('a query string changes nothing', async () => {
	const { apiKey } = await makeAccount(service);
	expect((await request(apiKey, 'GET', '/v1/credits?page=x&page=y')).status).toBe(200);
});

test('the fields of an error never change with its status; a 429 names its text `message`', async () => {
	const { accountId, apiKey } = await makeAccount(service, 0);
	const failures = [
		expectFailure(await verify(apiKey, 'x'), 400),
		expectFailure(await request(null, 'GET', '/v1/credits'), 401),
		expectFailure(await verify(apiKey, 'ada@inbox.test'), 402),
		expectFailure(await request(apiKey, 'GET', '/v1/nothing'), 404),
		expectFailure(await request(apiKey, 'PUT', '/v1/credits'), 405),
	];
	expect(new Set(failures).size).toBe(failures.length);
	await setLimits(accountId, { default: 0 });
	expect(Object.keys((await verify(apiKey, 'x')).body as object)).toEqual(['success', 'message']);
});

describe('X-Request-Id', () => {
	test('is new for every response', async () => {
		const { apiKey } = await makeAccount(service);
		const answers = await Promise.all([
			...Array.from({ length: 20 }, () => request(apiKey, 'GET', '/v1/credits')),
			...Array.from({ length: 5 }, () => request(null, 'GET', '/v1/credits')),
			request(null, 'GET', '/nothing'),
			request(null, 'GET', '/healthz'),
		]);
		const ids = answers.map(({ headers }) => headers.get('x-request-id'));
		expect(ids).not.toContain(null);
		expect(new Set(ids).size).toBe(answers.length);
	});

	test('is the requestId of meta', async () => {
		const { apiKey } = await makeAccount(service);
		for (const answer of [
			await verify(apiKey, 'ada@inbox.test'),
			await request(apiKey, 'GET', '/v1/credits'),
		]) {
			expect(answer.body).toMatchObject({ meta: { requestId: answer.headers.get('x-request-id') } });
		}
	});

	test('is ours: one that a client sends is not taken over', async () => {
		const { apiKey } = await makeAccount(service);
		const headers = { 'x-request-id': 'req_of_the_client' };
		const answer = await call(service.url, apiKey, 'GET', '/v1/credits', undefined, headers);
		expect(answer.headers.get('x-request-id')).not.toContain('req_of_the_client');
	});
});

test('a path in an error text is never shown as anything but JSON', async () => {
	const { apiKey } = await makeAccount(service);
	const answer = await request(apiKey, 'GET', '/v1/nothing<script>alert(1)</script>');
	expectFailure(answer, 404);
	expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});
