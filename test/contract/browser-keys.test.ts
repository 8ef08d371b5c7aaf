import { describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { formAnswer, publicKey, publicKeyList } from '../../src/http/browser/schemas.ts';
import { success } from '../../src/http/schemas.ts';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, expectRateLimited, newClient, sightingsOf } from './api.ts';
import type { Answer } from './api.ts';
import { dataOf, ops } from './operator.ts';

// Keys for browsers: made with a secret key, used by pages of their origins, and worth nothing anywhere else.

const service = inject('service');
const ORIGIN = 'https://shop.example';
const KEYS = '/v1/public-keys';

async function makeKey(apiKey: string, more: object = {}): Promise<z.infer<typeof publicKey>> {
	const settings = { name: 'Sign-up form', origins: [ORIGIN], ...more };
	const answer = await call(service.url, apiKey, 'POST', KEYS, settings);
	expect(answer.status, answer.text).toBe(201);
	return success(publicKey, {}).parse(answer.body).data;
}

interface Page {
	readonly key?: string;
	readonly origin?: string | null;
	readonly client?: Readonly<Record<string, string>>;
}

/** A call as a page makes it. */
async function ask(email: unknown, { key, origin = ORIGIN, client = newClient() }: Page): Promise<Answer> {
	const headers = {
		...client,
		...(key === undefined ? {} : { 'x-public-key': key }),
		...(origin === null ? {} : { origin }),
	};
	return call(service.url, null, 'POST', '/v1/public/verify', { email }, headers);
}

const listed = async (apiKey: string) => {
	const { body } = await call(service.url, apiKey, 'GET', KEYS);
	return success(publicKeyList, {}).parse(body).data.keys;
};

describe('a page asks', () => {
	test.each([
		['ada@no-such-domain.test', false, 'domain_does_not_exist', null, 1],
		['ada@null-mx.test', false, 'domain_takes_no_mail', null, 1],
		['ada@mailinator.com', false, 'disposable', null, 1],
		['jane.doe@outlok.com', null, 'possible_typo', 'jane.doe@outlook.com', 1],
		['nobody@inbox.test', null, 'mailbox_not_checked', null, 0],
		['ada@servfail.test', null, 'not_checked', null, 0],
		['no address', false, 'malformed', null, 0],
	])('about %s: ok %s, %s, suggestion %s, for %i', async (email, ok, reason, suggestion, credits) => {
		const { apiKey } = await makeAccount(service, 1);
		const { publicKey: key } = await makeKey(apiKey);
		const answer = await ask(email, { key });
		expect(answer.status, answer.text).toBe(200);
		expect(formAnswer.strict().parse(answer.body)).toEqual({ ok, suggestion, reason });
		expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
		expect(answer.headers.get('vary')).toContain('Origin');
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1 - credits, reservedCredits: 0 });
	});

	test('no mail server is asked, and what the account knows of its own messages is told to nobody', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const { publicKey: key } = await makeKey(apiKey);
		const email = 'browser.own.customer@inbox.test';
		await call(service.url, apiKey, 'POST', '/v1/feedback', {
			outcomes: [{ email, outcome: 'hard_bounce' }],
		});
		expect((await ask(email, { key })).body).toEqual({
			ok: null,
			suggestion: null,
			reason: 'mailbox_not_checked',
		});
		expect((await sightingsOf('browser.own.customer')).smtp).toBe(0);
	});

	test('an account without credits tells its visitors nothing, also not that it has none', async () => {
		const { apiKey } = await makeAccount(service, 0);
		const { publicKey: key } = await makeKey(apiKey);
		expect((await ask('ada@no-such-domain.test', { key })).body).toEqual({
			ok: null,
			suggestion: null,
			reason: 'not_checked',
		});
	});

	test('the preflight of any page is answered: it carries no key', async () => {
		const { status, headers } = await call(service.url, null, 'OPTIONS', '/v1/public/verify', undefined, {
			origin: ORIGIN,
			'access-control-request-method': 'POST',
			'access-control-request-headers': 'content-type,x-public-key',
		});
		expect(status).toBe(204);
		expect(headers.get('access-control-allow-methods')).toBe('POST');
		expect(headers.get('access-control-allow-headers')).toBe('Content-Type, X-Public-Key');
		expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
	});

	test.each([
		['https://shop.example.evil.example'],
		['https://sub.shop.example'],
		['http://shop.example'],
		['https://shop.example:8443'],
		['null'],
		[null],
	])('a page of %s is refused, and its browser shows it nothing', async (origin) => {
		const { apiKey } = await makeAccount(service, 1);
		const { publicKey: key } = await makeKey(apiKey);
		const answer = await ask('ada@no-such-domain.test', { key, origin });
		expectFailure(answer, 403, 'origin_not_allowed');
		expect(answer.headers.get('access-control-allow-origin')).toBeNull();
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1 });
	});
});

describe('the two kinds of key', () => {
	test('a secret key in a page is refused with a text that says what to do', async () => {
		const { apiKey } = await makeAccount(service);
		const text = expectFailure(await ask('ada@inbox.test', { key: apiKey }), 401, 'wrong_kind_of_key');
		expect(text).toContain('revoke it');
	});

	test.each(['authorization', 'x-api-key'])('a key for browsers in %s opens nothing', async (header) => {
		const { apiKey } = await makeAccount(service);
		const { publicKey: key } = await makeKey(apiKey);
		const value = header === 'authorization' ? `Bearer ${key}` : key;
		for (const path of ['/v1/credits', KEYS])
			expectFailure(
				await call(service.url, null, 'GET', path, undefined, { [header]: value, ...newClient() }),
				401,
				'wrong_kind_of_key',
			);
	});

	test.each([
		['none', undefined, 'api_key_missing'],
		['a forged one', `ms_pub_${'0'.repeat(72)}`, 'api_key_invalid'],
	] as const)('%s is a 401', async (_, key, code) => {
		expectFailure(await ask('ada@inbox.test', key === undefined ? {} : { key }), 401, code);
	});

	test('a test key makes none', async () => {
		const { accountId } = await makeAccount(service);
		const made = dataOf(await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'Tests' }), 201);
		const body = { name: 'Form', origins: [ORIGIN] };
		expectFailure(await call(service.url, String(made['apiKey']), 'POST', KEYS, body), 403, 'key_scope');
	});
});

describe('how much a stolen key costs', () => {
	test('at most the calls of its day; the account itself works on', async () => {
		const { apiKey } = await makeAccount(service, 9);
		const { publicKey: key } = await makeKey(apiKey, { dailyLimit: 2 });
		for (let calls = 0; calls < 2; calls += 1)
			expect((await ask('ada@no-such-domain.test', { key })).status).toBe(200);
		const refused = await ask('ada@no-such-domain.test', { key });
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 7 });
	});

	test('a network that asks too often waits alone', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const { publicKey: key } = await makeKey(apiKey);
		const client = newClient();
		const asked = Array.from({ length: 31 }, () => ask('nobody@inbox.test', { key, client }));
		const statuses = (await Promise.all(asked)).map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(30);
		expectRateLimited(await ask('nobody@inbox.test', { key, client }));
		expect((await ask('nobody@inbox.test', { key })).status).toBe(200);
		const { headers } = await call(service.url, apiKey, 'GET', '/v1/credits');
		// This call, and the one that made the key.
		expect(headers.get('ratelimit-remaining')).toBe('298');
	});
});

describe('a key is managed', () => {
	test('it is listed, changed and revoked', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const made = await makeKey(apiKey, { origins: [`${ORIGIN}/`, 'http://localhost:3000', ORIGIN] });
		expect(made).toMatchObject({ origins: [ORIGIN, 'http://localhost:3000'], dailyLimit: 1_000 });
		expect(made.publicKey).toMatch(/^ms_pub_[0-9A-Za-z]{72}$/);
		expect(await listed(apiKey)).toEqual([made]);
		const change = { name: 'Newsletter', dailyLimit: 5, turnstileSecret: '0x4AAA-secret' };
		const changed = await call(service.url, apiKey, 'PATCH', `${KEYS}/${made.keyId}`, change);
		expect(changed.text).not.toContain('0x4AAA');
		expect(await listed(apiKey)).toEqual([{ ...made, name: 'Newsletter', dailyLimit: 5, turnstile: true }]);
		const revoked = await call(service.url, apiKey, 'DELETE', `${KEYS}/${made.keyId}`);
		expect(revoked.status).toBe(204);
		expect(await listed(apiKey)).toEqual([]);
		expectFailure(
			await call(service.url, apiKey, 'DELETE', `${KEYS}/${made.keyId}`),
			404,
			'public_key_not_found',
		);
		expectFailure(await ask('ada@inbox.test', { key: made.publicKey }), 401, 'api_key_invalid');
	});

	test.each([
		[{ origins: [ORIGIN] }, 'missing_parameter', 'name'],
		[{ name: 'Form' }, 'missing_parameter', 'origins'],
		[{ name: 'Form', origins: [] }, 'invalid_parameter', 'origins'],
		[{ name: 'Form', origins: ['http://shop.example'] }, 'invalid_parameter', 'origins[0]'],
		[{ name: 'Form', origins: [`${ORIGIN}/path`] }, 'invalid_parameter', 'origins[0]'],
		[{ name: 'Form', origins: ['*'] }, 'invalid_parameter', 'origins[0]'],
		[{ name: 'Form', origins: [ORIGIN], dailyLimit: 0 }, 'invalid_parameter', 'dailyLimit'],
	] as const)('%j is refused by its field', async (body, code, param) => {
		const { apiKey } = await makeAccount(service);
		const answer = await call(service.url, apiKey, 'POST', KEYS, body);
		expectFailure(answer, 400, code);
		expect(answer.body).toMatchObject({ param });
	});

	test('another account can neither change nor revoke it', async () => {
		const [owner, other] = [await makeAccount(service), await makeAccount(service)];
		const { keyId } = await makeKey(owner.apiKey);
		for (const method of ['PATCH', 'DELETE'])
			expectFailure(
				await call(
					service.url,
					other.apiKey,
					method,
					`${KEYS}/${keyId}`,
					method === 'PATCH' ? {} : undefined,
				),
				404,
				'public_key_not_found',
			);
	});
});
