import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, newClient, rateLimitOf } from './api.ts';
import { revokeKeyOf, setLimits } from './operator.ts';

// Spec §5. Requests without a valid key count against the client's address, so each test comes from its own.

const service = inject('service');

/** GET /v1/credits with exactly these headers. */
async function ask(headers: Readonly<Record<string, string>>): ReturnType<typeof call> {
	return call(service.url, null, 'GET', '/v1/credits', undefined, { ...newClient(), ...headers });
}

/** One letter replaced by another one. */
function forged(apiKey: string, position: number): string {
	const other = apiKey[position] === 'x' ? 'y' : 'x';
	return apiKey.slice(0, position) + other + apiKey.slice(position + 1);
}

describe('a key is accepted', () => {
	test.each([
		['as Authorization: Bearer', (key: string) => ({ authorization: `Bearer ${key}` })],
		['as X-API-Key', (key: string) => ({ 'x-api-key': key })],
		[
			'in both headers where they agree',
			(key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': key }),
		],
		['with a lower-case scheme', (key: string) => ({ authorization: `bearer ${key}` })],
		['with an upper-case scheme', (key: string) => ({ authorization: `BEARER ${key}` })],
		['with more than one space', (key: string) => ({ authorization: `Bearer   ${key}` })],
		['with a header name in capitals', (key: string) => ({ 'X-API-KEY': key })],
	])('%s', async (_, headersOf) => {
		const { apiKey } = await makeAccount(service);
		expect((await ask(headersOf(apiKey))).status).toBe(200);
	});
});

describe('a request is refused with a 401', () => {
	test('without a key, and told how to send one', async () => {
		const error = expectFailure(await ask({}), 401);
		expect(error).toContain('Authorization: Bearer');
		expect(error).toContain('X-API-Key');
	});

	test.each([
		['an empty Authorization', () => ({ authorization: '' })],
		['a scheme without a key', () => ({ authorization: 'Bearer' })],
		['an empty X-API-Key', () => ({ 'x-api-key': '' })],
		['the scheme Token', (key: string) => ({ authorization: `Token ${key}` })],
		['two keys in one header', (key: string) => ({ 'x-api-key': `${key}, ${key}` })],
		['a wrong key', () => ({ 'x-api-key': 'secret' })],
		['a quoted key', (key: string) => ({ authorization: `Bearer "${key}"` })],
		['a very long key', (key: string) => ({ 'x-api-key': key + 'x'.repeat(8_000) })],
		[
			'the right key beside an empty header',
			(key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': '' }),
		],
		[
			'the right key beside another scheme',
			(key: string) => ({ authorization: 'Basic YTpi', 'x-api-key': key }),
		],
	])('%s', async (_, headersOf: (key: string) => Record<string, string>) => {
		const { apiKey } = await makeAccount(service);
		expectFailure(await ask(headersOf(apiKey)), 401);
	});

	test('two valid keys that disagree', async () => {
		const [one, two] = [await makeAccount(service), await makeAccount(service)];
		const answer = await ask({ authorization: `Bearer ${one.apiKey}`, 'x-api-key': two.apiKey });
		expect(expectFailure(answer, 401, 'api_keys_differ')).toContain('send one of them');
	});

	test.each([
		['the word Bearer is missing', (key: string) => key, /write `Bearer`/],
		['no space follows it', (key: string) => `Bearer${key}`, /write `Bearer` and a space/],
		['another scheme', (key: string) => `Basic ${btoa(`${key}:`)}`, /must be the word `Bearer`/],
		['words after the key', (key: string) => `Bearer ${key} please`, /must be the word `Bearer`/],
	])('and told what is wrong with Authorization: %s', async (_, valueOf, says) => {
		const { apiKey } = await makeAccount(service);
		const answer = await ask({ authorization: valueOf(apiKey) });
		expect(expectFailure(answer, 401, 'authorization_malformed')).toMatch(says);
		expect(answer.text).not.toContain(apiKey);
		// The other header does not make up for it: the two must agree.
		const both = await ask({ authorization: valueOf(apiKey), 'x-api-key': apiKey });
		expectFailure(both, 401, 'authorization_malformed');
	});

	test('a key in the query or in the body', async () => {
		const { apiKey } = await makeAccount(service);
		const path = `/v1/credits?api_key=${apiKey}&key=${apiKey}&access_token=${apiKey}`;
		expectFailure(await call(service.url, null, 'GET', path, undefined, newClient()), 401);
		const body = { email: 'ada@inbox.test', apiKey };
		expectFailure(await call(service.url, null, 'POST', '/v1/verify', body, newClient()), 401);
	});

	test("a key made of one account's letters and another one's signature", async () => {
		const [victim, attacker] = [(await makeAccount(service)).apiKey, (await makeAccount(service)).apiKey];
		const client = newClient();
		expect(victim.length).toBe(attacker.length);
		const mixed = Array.from(victim, (_, cut) => victim.slice(0, cut) + attacker.slice(cut)).filter(
			(key) => key !== victim && key !== attacker,
		);
		expect(mixed.length).toBeGreaterThan(50);
		const answers = await Promise.all(mixed.map((key) => ask({ ...client, 'x-api-key': key })));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
	});

	test('the text says nothing of the key', async () => {
		const { apiKey } = await makeAccount(service);
		const { text } = await ask({ 'x-api-key': forged(apiKey, 20) });
		expect(text).not.toContain(apiKey.slice(0, 12));
	});
});

describe('a revoked key', () => {
	test('is refused from the next request on, in both headers', async () => {
		const { accountId, apiKey } = await makeAccount(service);
		expect((await ask({ 'x-api-key': apiKey })).status).toBe(200);
		await revokeKeyOf(accountId);
		expectFailure(await ask({ 'x-api-key': apiKey }), 401);
		expectFailure(await ask({ authorization: `Bearer ${apiKey}` }), 401);
	});
});

describe('who may come in is settled before what they want', () => {
	test.each([
		['a malformed body', 'POST', '/v1/verify', '{'],
		['no credits', 'POST', '/v1/verify', '{"email":"ada@inbox.test"}'],
		['an unknown path', 'GET', '/v1/nothing', undefined],
		['a wrong method', 'DELETE', '/v1/credits', undefined],
	])('401 comes first, 429 next: %s', async (_, method, path, body) => {
		expectFailure(await call(service.url, null, method, path, body, newClient()), 401);
		const { accountId, apiKey } = await makeAccount(service, 0);
		await setLimits(accountId, { default: 0 });
		const answer = await call(service.url, apiKey, method, path, body);
		expect(answer.status).toBe(429);
		expect(rateLimitOf(answer)).toMatchObject({ limit: 0, remaining: 0 });
	});

	test('400 comes before 402', async () => {
		const { apiKey } = await makeAccount(service, 0);
		expectFailure(await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'x' }), 400);
		expectFailure(await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' }), 402);
	});
});

test('a key keeps a record of its own use', async () => {
	const { accountId, apiKey } = await makeAccount(service);
	for (const email of ['ada@inbox.test', 'nobody@inbox.test', 'ada@servfail.test']) {
		await call(service.url, apiKey, 'POST', '/v1/verify', { email });
	}
	await ask({ 'x-api-key': apiKey });
	const { body } = await call(service.url, service.token, 'GET', `/ops/accounts/${accountId}`);
	expect(body).toMatchObject({
		data: {
			keys: [
				{
					requests: 4,
					credits: 2,
					outcomes: { deliverable: 1, undeliverable: 1, risky: 0, unknown: 1 },
					revoked: false,
				},
			],
		},
	});
});
