import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { SUB_STATUSES } from '../../src/core/verification/sub-status.ts';
import { call, makeAccount } from '../support/service.ts';
import { anyTime, balanceOf, expectFailure, sightingsOf, verified, verify } from './api.ts';

// POST /v1/verify: what a 200 holds and costs, and addresses that are refused. Bodies that are none: errors.test.ts.

const service = inject('service');
const anyWord = expect.stringMatching(/\S/);

// The answer that README shows names every field.
const README = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
const SAMPLE = JSON.parse(/^```json\n(.*?)^```/ms.exec(README)?.[1] ?? '') as {
	readonly data: { readonly email: string; readonly verified_at: string };
	readonly meta: object;
};

test('the answer has exactly the fields of the contract', async () => {
	const { apiKey } = await makeAccount(service, 10);
	const before = Date.now();
	const { status, body } = await verify(apiKey, SAMPLE.data.email);
	expect(status).toBe(200);
	const at = Date.parse((body as typeof SAMPLE).data.verified_at);
	expect([at >= before, at <= Date.now()]).toEqual([true, true]);
	expect(body).toStrictEqual({
		...SAMPLE,
		data: { ...SAMPLE.data, verified_at: anyTime },
		meta: { requestId: anyWord, creditsUsed: 1, creditsRemaining: 9 },
	});
	expect(Object.keys(SAMPLE.meta)).toEqual(['requestId', 'creditsUsed', 'creditsRemaining']);
});

// One for each status and each way to it; the golden verdicts hold every score and price.
test.each<[string, string, string, method: string, score: number, risk: string, verdict?: string]>([
	['ada@inbox.test', 'deliverable', 'accepted_email', 'smtp', 97, 'low'],
	['ada@shy-catch-all.test', 'deliverable', 'accepted_email', 'smtp', 90, 'medium'],
	['ada@mailinator.com', 'undeliverable', 'disposable', 'list', 5, 'high'],
	['gone@catch-all-but-gone.test', 'undeliverable', 'catch_all_invalid', 'smtp', 2, 'high', 'invalid'],
	['ada@full.test', 'risky', 'mailbox_full', 'smtp', 40, 'medium'],
	['ada@yahoo.test', 'unknown', 'accepts_everything', 'smtp', 50, 'medium'],
])(
	'%s is %s (%s), and unknown costs nothing',
	async (address, status, subStatus, method, score, risk, verdict) => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await verified(apiKey, address);
		expect(data).toMatchObject({
			email: address,
			status,
			is_valid: status === 'deliverable',
			deliverability_score: score,
			risk_level: risk,
			details: { sub_status: subStatus, general: { validation_method: method } },
		});
		expect(data.details.general.reason).toContain(SUB_STATUSES[data.details.sub_status].reason);
		const isCatchAll = data.details.attributes.catch_all === true;
		expect([data.catch_all_verdict, 'catch_all_score' in data]).toEqual([verdict, isCatchAll]);
		const charged = status === 'unknown' ? 0 : 1;
		expect(meta).toMatchObject({ creditsUsed: charged, creditsRemaining: 1 - charged });
		expect(await balanceOf(apiKey)).toMatchObject({
			balance: 1 - charged,
			availableCredits: 1 - charged,
			reservedCredits: 0,
			totalConsumed: charged,
			totalRefunded: 1 - charged,
		});
	},
);

describe('how an address is read', () => {
	// All spellings: test/unit/address/parse-address.test.ts.
	test('is in the answer, as its own server would write it', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const { data } = await verified(apiKey, '\r\n Ada@BÜCHER.test \t\n');
		expect(data).toMatchObject({
			email: 'Ada@bücher.test',
			details: { general: { domain: 'xn--bcher-kva.test' } },
		});
		expect((await verified(apiKey, 'jürgen@inbox.test')).data.email).toBe('jürgen@inbox.test');
	});

	test('canonical_email follows the rules of the operator that the DNS names', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const workspace = await verified(apiKey, 'Ada.L+news@workspace.test');
		expect(workspace.data.canonical_email).toBe('ada.l@workspace.test');
		const unknown = await verified(apiKey, 'Ada.L+news@inbox.test');
		expect(unknown.data.canonical_email).toBe('Ada.L+news@inbox.test');
	});

	test('unknown fields and query parameters are ignored, also one named __proto__', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const text =
			'{"email":"ada@inbox.test","validationFlags":["x"],"status":7,"__proto__":{"email":"x"},"timeout":null}';
		const { status, body } = await call(service.url, apiKey, 'POST', '/v1/verify?page=no&limit=-1', text);
		expect(status).toBe(200);
		expect(body).toMatchObject({ data: { email: 'ada@inbox.test', status: 'deliverable' } });
	});

	test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/problem+json', null])(
		'a body sent as %s is JSON',
		async (mediaType) => {
			const { apiKey } = await makeAccount(service, 1);
			const response = await fetch(new URL('/v1/verify', service.url), {
				method: 'POST',
				headers: { 'x-api-key': apiKey, ...(mediaType === null ? {} : { 'content-type': mediaType }) },
				body: new TextEncoder().encode('{"email":"ada@inbox.test"}'),
			});
			expect(response.status).toBe(200);
		},
	);
});

test.each([
	'Ada <ada@inbox.test>',
	'"Lovelace, Ada" <ada@inbox.test>',
	'<ada@inbox.test>',
	' mailto:Ada@INBOX.test',
])('an address as people copy it, %j, is read, and the answer says as what', async (email) => {
	const { apiKey } = await makeAccount(service, 1);
	const read = email.includes('Ada@') ? 'Ada@inbox.test' : 'ada@inbox.test';
	expect((await verified(apiKey, email)).data).toMatchObject({ email: read, read_as: read });
});

// Every way to write such a thing: test/unit/security/smtp-injection.test.ts, test/unit/address/parse-address.test.ts.
test('a malformed address is a 400 that costs nothing, and never reaches the DNS or a mail server', async () => {
	const MARK = 'smuggled';
	const { apiKey } = await makeAccount(service, 1);
	const before = await balanceOf(apiKey);
	for (const email of [
		'',
		`ada@inbox.test\r\nRCPT TO:<${MARK}@inbox.test>`,
		`"${MARK}\\\r\\\n"@inbox.test`,
		`ada@inbox.test> SIZE=1 <${MARK}@inbox.test`,
		`@relay.test:${MARK}@inbox.test`,
		`${MARK}\u560d\u560aDATA@inbox.test> SIZE=1`,
	])
		expect(expectFailure(await verify(apiKey, email), 400), email).toMatch(/^Malformed email: \S/);
	expect(await balanceOf(apiKey)).toEqual(before);
	// The witness does see what is sent.
	await verified(apiKey, 'witnessed@inbox.test');
	expect((await sightingsOf('witnessed')).smtp).toBeGreaterThan(0);
	expect((await sightingsOf('inbox.test')).dns).toBeGreaterThan(0);
	expect(await sightingsOf(MARK)).toEqual({ dns: 0, smtp: 0 });
});
