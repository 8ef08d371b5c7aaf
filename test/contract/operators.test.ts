import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, newClient, rateLimitOf } from './api.ts';
import type { Answer } from './api.ts';
import { create, dataOf, keysOf, ops } from './operator.ts';

// The operators' API under /ops. Its command line is in operators-cli.test.ts; without a token it does not exist
// (healthz.test.ts).

const service = inject('service');
const TRIAL_CREDITS = 100;
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('creating an account', () => {
	test('gives trial credits, and a key that works', async () => {
		const { apiKey } = await create({ email: 'trial@example.com' });
		expect(await balanceOf(apiKey)).toMatchObject({
			balance: TRIAL_CREDITS,
			totalPurchased: TRIAL_CREDITS,
			transactionCount: 1,
		});
	});

	test.each([
		['no email', { credits: 1 }],
		['an email that is no text', { email: 1 }],
		['an email that is too short', { email: 'a' }],
		['an email that is no address', { email: 'not an address' }],
		['an email with a second header', { email: 'ada@example.com\r\nBcc: bob@example.com' }],
		['an email that is too long', { email: `${'a'.repeat(250)}@b.test` }],
		['negative credits', { email: 'a@example.com', credits: -1 }],
		['half a credit', { email: 'a@example.com', credits: 0.5 }],
		['credits as text', { email: 'a@example.com', credits: '5' }],
		['credits null', { email: 'a@example.com', credits: null }],
		['more credits than a billion', { email: 'a@example.com', credits: 1_000_000_001 }],
		['more credits than a number holds', '{"email":"a@example.com","credits":1e400}'],
		['no object', []],
		['no JSON', '{'],
		['a body over 16 KiB', { email: 'a@example.com', note: 'x'.repeat(20_000) }],
	])('is refused with a 400: %s', async (_, body) => {
		expectFailure(await ops('POST', '/accounts', body), 400);
	});
});

describe('showing an account', () => {
	test('tells credits, limits and keys, and no secret', async () => {
		const { accountId, apiKey } = await create({ email: ' show@example.com ', credits: 5 });
		const answer = await ops('GET', `/accounts/${accountId}`);
		expect(dataOf(answer)).toStrictEqual({
			accountId,
			email: 'show@example.com',
			createdAt: anyTime,
			suspendedAt: null,
			credits: {
				balance: 5,
				availableCredits: 5,
				reservedCredits: 0,
				totalPurchased: 5,
				totalConsumed: 0,
				totalRefunded: 0,
				transactionCount: 1,
				lastTransactionAt: anyTime,
			},
			check: [],
			limits: { default: 300, batch: 30, polling: 600 },
			keys: [
				{
					id: expect.stringMatching(/^key_[0-9A-Za-z]+$/),
					label: expect.stringMatching(/\S/),
					createdAt: anyTime,
					revoked: false,
					revokedAt: null,
					scopes: ['verify', 'lists', 'read'],
					ending: apiKey.slice(-4),
					version: expect.any(Number),
					expiresAt: null,
					lastUsedAt: null,
					requests: 0,
					credits: 0,
					outcomes: null,
				},
			],
		});
		expect(answer.text).not.toContain(apiKey.slice(8, 24));
	});
});

describe('finding accounts', () => {
	test('of an address gives all of them, the oldest first, whatever the letter case', async () => {
		const email = `found-${Date.now()}@example.com`;
		const [one, two] = [await create({ email }), await create({ email: email.toUpperCase() })];
		const { accounts } = dataOf(await ops('POST', '/find-accounts', { email: ` ${email} ` })) as {
			accounts: unknown;
		};
		const listed = { createdAt: anyTime, suspendedAt: null, userId: null };
		expect(accounts).toStrictEqual([
			{ accountId: one.accountId, email, ...listed },
			{ accountId: two.accountId, email: email.toUpperCase(), ...listed },
		]);
	});

	test.each([[{}], [{ email: 1 }], [{ email: 'a' }], ['{']])('is refused with a 400 for %j', async (body) => {
		expectFailure(await ops('POST', '/find-accounts', body), 400);
	});
});

describe('suspending an account', () => {
	test('shuts it for its keys at the next request, opens it again, and may be repeated', async () => {
		const { accountId, apiKey } = await makeAccount(service, 3);
		const ask = async (key = apiKey): Promise<Answer> => call(service.url, key, 'GET', '/v1/credits');
		const suspend = async () => dataOf(await ops('POST', `/accounts/${accountId}/suspend`));
		const first = await suspend();
		expect(first).toEqual({ accountId, suspendedAt: anyTime });
		expect(expectFailure(await ask(), 401, 'account_suspended')).toContain('suspended');
		expect(await suspend()).toEqual(first);
		expect(dataOf(await ops('GET', `/accounts/${accountId}`))).toMatchObject({
			suspendedAt: first['suspendedAt'],
		});
		for (let n = 0; n < 2; n += 1) {
			const opened = dataOf(await ops('POST', `/accounts/${accountId}/unsuspend`));
			expect(opened).toEqual({ accountId, suspendedAt: null });
		}
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 3 });
	});
});

async function setTo(accountId: string, limits: unknown): Promise<Answer> {
	return ops('PATCH', `/accounts/${accountId}/limits`, limits);
}

describe('setting limits', () => {
	test('is refused with a 400 for what is no limit, and changes nothing', async () => {
		const { accountId } = await makeAccount(service);
		for (const limits of [
			{},
			{ other: 1 },
			{ default: -1 },
			{ default: 1.5 },
			{ default: '5' },
			{ batch: null },
			[],
		]) {
			expectFailure(await setTo(accountId, limits), 400);
		}
		expect(dataOf(await ops('GET', `/accounts/${accountId}`))).toMatchObject({
			limits: { default: 300, batch: 30, polling: 600 },
		});
	});
});

describe('revoking a key', () => {
	test('of another account or of nobody is a 404', async () => {
		const [one, two] = [await makeAccount(service), await makeAccount(service)];
		const [keyId = ''] = await keysOf(two.accountId);
		expectFailure(await ops('POST', `/accounts/${one.accountId}/keys/${keyId}/revoke`), 404, 'key_not_found');
		expectFailure(await ops('POST', `/accounts/${one.accountId}/keys/key_x/revoke`), 404, 'key_not_found');
		expect((await call(service.url, two.apiKey, 'GET', '/v1/credits')).status).toBe(200);
	});
});

test.each(['acc_00000000000001', 'acc_nobody', 'nobody', '%00', '..%2f..', "acc_'%3B--"])(
	'the account %s does not exist: a 404 for every operation',
	async (accountId) => {
		for (const [method, path, body] of [
			['GET', '', undefined],
			['POST', '/grants', { id: 'x', credits: 1 }],
			['PATCH', '/limits', { default: 1 }],
			['POST', '/keys/key_x/revoke', undefined],
			['POST', '/suspend', undefined],
			['POST', '/unsuspend', undefined],
		] as const)
			expectFailure(await ops(method, `/accounts/${accountId}${path}`, body), 404, 'account_not_found');
	},
);

describe('who is no operator', () => {
	test.each([
		['no token', () => null],
		['a wrong token', () => 'wrong-token-that-has-32-characters-or-more'],
		["a customer's key", (apiKey: string) => apiKey],
		['the right token and a letter', () => `${service.token}x`],
		['the right token without a letter', () => service.token.slice(0, -1)],
		['the token in capitals', () => service.token.toUpperCase()],
	])('is refused with a 401, whatever is asked: %s', async (_, tokenOf) => {
		const { accountId, apiKey } = await makeAccount(service);
		const client = newClient();
		for (const [method, path, body] of [
			['GET', `/accounts/${accountId}`, undefined],
			['POST', '/accounts', { email: 'a@example.com' }],
			['POST', '/accounts', '{'],
			['GET', '/nothing', undefined],
		] as const)
			expectFailure(await ops(method, path, body, tokenOf(apiKey), client), 401, 'operator_token_invalid');
	});

	test("is who sends the operator's token to the customers' API", async () => {
		expectFailure(
			await call(service.url, service.token, 'GET', '/v1/credits', undefined, newClient()),
			401,
			'api_key_invalid',
		);
	});

	test('may guess thirty times, while the right token is never counted', async () => {
		const client = newClient();
		const guess = (): Promise<Answer> => ops('GET', '/accounts/x', undefined, 'wrong', client);
		const answers: Answer[] = [];
		for (let n = 0; n < 30; n += 1) answers.push(await guess());
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
		expect(answers.map(rateLimitOf).at(-1)).toMatchObject({ limit: 30, remaining: 0 });
		const refused = await guess();
		expect(refused.status).toBe(429);
		expect(refused.body).toEqual({ success: false, message: expect.stringMatching(/\S/) });
		const { accountId } = await makeAccount(service);
		dataOf(await ops('GET', `/accounts/${accountId}`, undefined, service.token, client));
	});
});

test('an operation that does not exist is a 404', async () => {
	const { accountId } = await makeAccount(service);
	for (const [method, path] of [
		['GET', '/nothing'],
		['GET', ''],
		['DELETE', `/accounts/${accountId}`],
	] as const)
		expectFailure(await ops(method, path), 404, 'path_not_found');
});
