import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { anyTime, balanceOf, expectFailure, newClient, rateLimitOf } from './api.ts';
import type { Answer } from './api.ts';
import { patient, submitted } from './jobs-api.ts';
import { create, dataOf, keysOf, ops } from './operator.ts';

// The operators' API under /ops. Its command line is in operators-cli.test.ts; without a token it does not exist
// (healthz.test.ts).

const service = inject('service');
const TRIAL_CREDITS = 100;

test('an account begins with trial credits and a key that works; what is shown of it has no secret', async () => {
	const email = 'trial@example.com';
	const { accountId, apiKey } = await create({ email: ` ${email} ` });
	const balance = await balanceOf(apiKey);
	expect(balance).toMatchObject({
		balance: TRIAL_CREDITS,
		totalPurchased: TRIAL_CREDITS,
		transactionCount: 1,
	});
	// All its fields: test/golden/ops.txt.
	const answer = await ops('GET', `/accounts/${accountId}`);
	const limits = { default: 300, batch: 30, polling: 600 };
	const keys = [
		{ ending: apiKey.slice(-4), revoked: false, scopes: ['verify', 'lists', 'read'], requests: 1 },
	];
	const shown = { accountId, email, suspendedAt: null, credits: balance, check: [], limits, keys };
	expect(dataOf(answer)).toMatchObject(shown);
	expect(answer.text).not.toContain(apiKey.slice(8, 24));
});

const MAIL = 'a@example.com';
const NOW = new Date().toISOString();
const REFUSED: readonly [method: string, path: string, bodies: readonly unknown[]][] = [
	[
		...(['POST', '/accounts'] as const),
		[
			...[{ credits: 1 }, { email: 1 }, { email: 'a' }, { email: 'not an address' }, [], '{'],
			{ email: 'ada@example.com\r\nBcc: bob@example.com' },
			{ email: `${'a'.repeat(250)}@b.test` },
			...[-1, 0.5, '5', null, 1_000_000_001].map((credits) => ({ email: MAIL, credits })),
			'{"email":"a@example.com","credits":1e400}',
			{ email: MAIL, note: 'x'.repeat(20_000) },
		],
	],
	['POST', '/find-accounts', [{}, { email: 1 }, { email: 'a' }, '{']],
	[
		...(['POST', '/accounts/ID/grants'] as const),
		[
			...[{}, { id: 'x' }, { credits: 1 }, { id: 7, credits: 1 }],
			...['', 'two words', 'ümlaut', 'x'.repeat(129)].map((id) => ({ id, credits: 1 })),
			...[0, 0.5, '1', 1_000_000_001].map((credits) => ({ id: 'x', credits })),
		],
	],
	[
		...(['PATCH', '/accounts/ID/limits'] as const),
		[{}, { other: 1 }, { default: -1 }, { default: 1.5 }, { default: '5' }, { batch: null }, []],
	],
	[
		...(['POST', '/accounts/ID/restore'] as const),
		[
			...['2026-11-21T10:00:00', '2026-11-21'].map((at) => ({ at })),
			...[{ at: NOW, bookmark: 'b-1' }, { bookmark: 'b 1' }, { confirm: true }, { at: NOW, confirm: 'yes' }],
		],
	],
];

test.each(REFUSED)(
	'%s %s is a 400 for what it does not take, and changes nothing',
	async (method, path, bodies) => {
		const { accountId } = await makeAccount(service, 5);
		const shown = async () => dataOf(await ops('GET', `/accounts/${accountId}`));
		const before = await shown();
		for (const body of bodies) expectFailure(await ops(method, path.replace('ID', accountId), body), 400);
		expect(await shown()).toEqual(before);
	},
);

test('finding accounts of an address gives all of them, the oldest first, whatever the letter case', async () => {
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

test('granting credits adds them at once; under an id of another amount, or of more than is left, it is a 409 that changes nothing', async () => {
	const { accountId, apiKey } = await makeAccount(service, 5);
	const grant = (body: object) => ops('POST', `/accounts/${accountId}/grants`, body);
	const data = dataOf(await grant({ id: 'invoice-3', credits: 10 }));
	const before = await balanceOf(apiKey);
	expect(data).toEqual({ credits: before, repeated: false });
	expect(before).toMatchObject({ balance: 15, totalPurchased: 15, transactionCount: 2 });
	for (const [body, code, says] of [
		[{ id: 'invoice-3', credits: 11 }, 'grant_id_reused', '10'],
		[{ id: 'too-much', credits: -16 }, 'credits_spent', '15'],
	] as const)
		expect(expectFailure(await grant(body), 409, code)).toContain(says);
	expect(await balanceOf(apiKey)).toEqual(before);
	// The id was not used up by the refusal.
	dataOf(await grant({ id: 'too-much', credits: -15 }));
	expect(await balanceOf(apiKey)).toMatchObject({ balance: 0 });
});

test('a running job is shown with the parts that still drive it, set going again, and ended', async () => {
	const { accountId, apiKey } = await makeAccount(service, 10);
	const { jobId } = (await submitted(apiKey, ['ada@inbox.test', patient()])).data;
	const job = { jobId, status: 'processing', totalEmails: 2 };
	expect(dataOf(await ops('GET', `/jobs/${jobId}`))).toMatchObject({ accountId, job });
	const openParts = [{ part: 0, addresses: 2, stuck: false }];
	expect(dataOf(await ops('POST', `/jobs/${jobId}/retry`))).toMatchObject({ openParts });
	for (let n = 0; n < 2; n += 1)
		expect(dataOf(await ops('POST', `/jobs/${jobId}/end`))).toMatchObject({
			job: { status: 'completed', creditsReserved: 0 },
			openParts: [],
		});
	expectFailure(await ops('POST', `/jobs/${jobId}/retry`), 409, 'job_ended');
	expectFailure(await ops('POST', '/jobs/job_none/end'), 404, 'job_not_found');
});

test('revoking a key of another account or of nobody is a 404', async () => {
	const [one, two] = [await makeAccount(service), await makeAccount(service)];
	const [keyId = ''] = await keysOf(two.accountId);
	expectFailure(await ops('POST', `/accounts/${one.accountId}/keys/${keyId}/revoke`), 404, 'key_not_found');
	expectFailure(await ops('POST', `/accounts/${one.accountId}/keys/key_x/revoke`), 404, 'key_not_found');
	expect((await call(service.url, two.apiKey, 'GET', '/v1/credits')).status).toBe(200);
});

test.each(['acc_00000000000001', '%00', '..%2f..', "acc_'%3B--"])(
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
	test('is refused with a 401, whatever is asked', async () => {
		const { accountId, apiKey } = await makeAccount(service);
		const { token } = service;
		const wrong = [
			null,
			'wrong-token-that-has-32-characters-or-more',
			apiKey,
			`${token}x`,
			token.slice(0, -1),
		];
		for (const [method, path, body] of [
			['GET', `/accounts/${accountId}`, undefined],
			['POST', '/accounts', '{'],
			['GET', '/egress', undefined],
			['GET', '/nothing', undefined],
		] as const)
			for (const other of [...wrong, token.toUpperCase()])
				expectFailure(await ops(method, path, body, other, newClient()), 401, 'operator_token_invalid');
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
