import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { expectFailure, newClient, rateLimitOf } from './api.ts';

// GET /healthz, and a service whose configuration is missing or wrong. A way out that fails: upstream.test.ts.

const service = inject('service');

const HUSH = 'hush-hush-secret';

/** Nothing is configured. */
let bare: TestService;
/** One value can't be used, and holds a secret. */
let wrong: TestService;

beforeAll(async () => {
	[bare, wrong] = await Promise.all([
		startTestService({
			sandbox: null,
			vars: { KEY_SIGNING_SECRET: '', OPERATOR_TOKENS: '', PROBERS: '' },
		}),
		startTestService({ sandbox: null, vars: { PROBERS: `ftp://${HUSH}@127.0.0.1` } }),
	]);
});

afterAll(async () => {
	await Promise.all([bare?.remove(), wrong?.remove()]);
});

test('is 200 when all is well, and needs no key', async () => {
	const answer = await call(service.url, null, 'GET', '/healthz');
	expect([answer.status, answer.body]).toEqual([200, { status: 'ok', problems: [] }]);
	expect((await call(service.url, null, 'HEAD', '/healthz')).status).toBe(200);
});

test('says which version answers, so that a deploy knows whom it asked', async () => {
	const { headers } = await call(service.url, null, 'GET', '/healthz');
	expect(headers.get('mailsonar-version')).toMatch(/^[\w-]+$/);
});

test('is outside the limits: it counts down nothing', async () => {
	const client = newClient();
	const remaining = async (): Promise<number> =>
		rateLimitOf(await call(service.url, null, 'GET', '/healthz', undefined, client)).remaining;
	expect([await remaining(), await remaining()]).toEqual([300, 300]);
});

test('is a 429 for a client that asks more than 60 times a minute, and for no other', async () => {
	const [eager, other] = [newClient(), newClient()];
	const ask = (client: Readonly<Record<string, string>>) =>
		call(service.url, null, 'GET', '/healthz', undefined, client);
	const answers = await Promise.all(Array.from({ length: 65 }, () => ask(eager)));
	const counts = Map.groupBy(answers, ({ status }) => status);
	expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([60, 5]);
	const refused = await ask(eager);
	expect(rateLimitOf(refused)).toMatchObject({ limit: 60, remaining: 0 });
	expect(refused.headers.get('retry-after')).toMatch(/^[1-5]?\d$|^60$/);
	expect((await ask(other)).status).toBe(200);
});

describe('a service that is not configured', () => {
	test('says on /healthz what is missing', async () => {
		const { status, body } = await call(bare.url, null, 'GET', '/healthz');
		expect([status, body]).toEqual([
			503,
			{
				status: 'unavailable',
				problems: ['KEY_SIGNING_SECRET is not configured', 'PROBERS is not configured'],
			},
		]);
	});

	test('cannot tell a good key from a bad one: 503, not 401', async () => {
		const answer = await call(bare.url, 'ms_live_x', 'GET', '/v1/credits', undefined, newClient());
		expect(expectFailure(answer, 503, 'misconfigured')).toContain('KEY_SIGNING_SECRET');
		expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
		expect(rateLimitOf(answer)).toEqual({ limit: 300, remaining: 300, reset: 900 });
	});

	test.each([
		['without a token', null],
		['with an empty token', ''],
		['with a token', 'any-token-that-has-32-characters-or-more'],
	])("has no operators' API: 404 %s", async (_, token) => {
		const body = { email: 'a@example.com' };
		expectFailure(await call(bare.url, token, 'POST', '/ops/accounts', body, newClient()), 404);
	});
});

describe('a service with a value that cannot be used', () => {
	test.each([
		['GET', '/healthz'],
		['GET', '/v1/credits'],
		['POST', '/v1/verify'],
		['POST', '/ops/accounts'],
		['GET', '/openapi.json'],
		['GET', '/nothing'],
	])('%s %s is a 503 that names the variable and not its value', async (method, path) => {
		const answer = await call(wrong.url, service.token, method, path);
		const error = expectFailure(answer, 503, 'misconfigured');
		expect(error).toContain('PROBERS');
		expect(error).not.toContain(HUSH);
		expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
		expect(answer.headers.get('x-request-id')).toMatch(/\S/);
		expect(rateLimitOf(answer)).toEqual({ limit: 300, remaining: 300, reset: 900 });
	});
});
