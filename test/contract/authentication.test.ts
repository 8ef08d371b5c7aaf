import { beforeAll, describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, newClient, rateLimitOf } from './api.ts';
import { setLimits } from './operator.ts';

// Spec §5. Requests without a valid key count against the client's address, so each test comes from its own. What a key
// that ended, or one of other scopes, opens: test/worker/account-keys.test.ts.

const service = inject('service');
let apiKey = '';
beforeAll(async () => {
	({ apiKey } = await makeAccount(service));
});

/** GET /v1/credits with exactly these headers. */
async function ask(headers: Readonly<Record<string, string>>): ReturnType<typeof call> {
	return call(service.url, null, 'GET', '/v1/credits', undefined, { ...newClient(), ...headers });
}

type Headers = (key: string) => Readonly<Record<string, string>>;

test.each<[string, Headers]>([
	['as X-API-Key', (key) => ({ 'x-api-key': key })],
	['in both headers where they agree', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key })],
	['with a lower-case scheme', (key) => ({ authorization: `bearer ${key}` })],
	['with an upper-case scheme and more than one space', (key) => ({ authorization: `BEARER   ${key}` })],
])('a key is accepted %s', async (_, headersOf) => {
	expect((await ask(headersOf(apiKey))).status).toBe(200);
});

describe('a request is refused with a 401 that says nothing of the key', () => {
	const MISSING = /`Authorization: Bearer .*X-API-Key/;
	test.each<[string, Headers, RegExp]>([
		['no key', () => ({}), MISSING],
		['a scheme without a key', () => ({ authorization: 'Bearer' }), MISSING],
		['an empty X-API-Key', () => ({ 'x-api-key': '' }), MISSING],
		['two keys in one header', (key) => ({ 'x-api-key': `${key}, ${key}` }), /./],
		['a very long key', (key) => ({ 'x-api-key': key + 'x'.repeat(8_000) }), /./],
		[
			'the right key beside an empty header',
			(key) => ({ authorization: `Bearer ${key}`, 'x-api-key': '' }),
			/differ/,
		],
		['no word Bearer', (key) => ({ authorization: key }), /write `Bearer`/],
		['no space behind it', (key) => ({ authorization: `Bearer${key}` }), /write `Bearer` and a space/],
		// The other header does not make up for it: the two must agree.
		[
			'another scheme',
			(key) => ({ authorization: `Basic ${btoa(`${key}:`)}`, 'x-api-key': key }),
			/word `Bearer`/,
		],
		[
			'words after the key',
			(key) => ({ authorization: `Bearer ${key} please` }),
			/must be the word `Bearer`/,
		],
	])('%s', async (_, headersOf, says) => {
		const answer = await ask(headersOf(apiKey));
		expect(expectFailure(answer, 401)).toMatch(says);
		expect(answer.text).not.toContain(apiKey.slice(0, 12));
	});

	test('two valid keys that disagree', async () => {
		const other = await makeAccount(service);
		const answer = await ask({ authorization: `Bearer ${apiKey}`, 'x-api-key': other.apiKey });
		expect(expectFailure(answer, 401, 'api_keys_differ')).toContain('send one of them');
	});

	test('a key in the query or in the body', async () => {
		const path = `/v1/credits?api_key=${apiKey}&key=${apiKey}&access_token=${apiKey}`;
		expectFailure(await call(service.url, null, 'GET', path, undefined, newClient()), 401);
		const body = { email: 'ada@inbox.test', apiKey };
		expectFailure(await call(service.url, null, 'POST', '/v1/verify', body, newClient()), 401);
	});
});

describe('who may come in is settled before what they want', () => {
	// At the paths that there are: openapi.test.ts.
	test('401 comes first, 429 next, and 400 before 402', async () => {
		const { accountId, apiKey: key } = await makeAccount(service, 0);
		expectFailure(await call(service.url, key, 'POST', '/v1/verify', { email: 'x' }), 400);
		expectFailure(await call(service.url, key, 'POST', '/v1/verify', { email: 'ada@inbox.test' }), 402);
		await setLimits(accountId, { default: 0 });
		for (const [method, path] of [
			['GET', '/v1/nothing'],
			['DELETE', '/v1/credits'],
		] as const) {
			expectFailure(await call(service.url, null, method, path, undefined, newClient()), 401);
			const answer = await call(service.url, key, method, path);
			expect(answer.status).toBe(429);
			expect(rateLimitOf(answer)).toMatchObject({ limit: 0, remaining: 0 });
		}
	});
});
