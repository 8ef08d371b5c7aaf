import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, sightingsOf, verified } from './api.ts';
import { newTestKey } from './operator.ts';

// POST /v1/verify with `mode: "quick"`: the answer for a person who waits, from lists and DNS alone.

const service = inject('service');
const quick = (apiKey: string, email: string) => verified(apiKey, email, service.url, { mode: 'quick' });

describe('a quick check', () => {
	test.each([
		['ada@no-such-domain.test', 'undeliverable', 'invalid_domain', 'dns', 1],
		['ada@no-mail.test', 'undeliverable', 'no_mx_records', 'dns', 1],
		['ada@null-mx.test', 'undeliverable', 'does_not_accept_mail', 'dns', 1],
		['ada@mailinator.com', 'undeliverable', 'disposable', 'list', 1],
		['jane.doe@outlok.com', 'risky', 'possible_typo', 'list', 1],
		['nobody@inbox.test', 'unknown', 'not_asked', 'dns', 0],
		['ada@implicit-mx.test', 'unknown', 'not_asked', 'dns', 0],
		['ada@servfail.test', 'unknown', 'dns_error', 'dns', 0],
	])('says of %s: %s (%s), by %s, for %i', async (email, status, subStatus, method, credits) => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await quick(apiKey, email);
		expect(data).toMatchObject({
			email,
			status,
			details: { sub_status: subStatus, general: { validation_method: method } },
		});
		expect(meta).toMatchObject({ creditsUsed: credits, creditsRemaining: 1 - credits });
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1 - credits, reservedCredits: 0 });
	});

	test('asks no mail server, and claims nothing that only a mail server could tell', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const email = 'quick.nobody.asked@inbox.test';
		const { data } = await quick(apiKey, email);
		expect(data.details.attributes).toMatchObject({ mailbox_full: null });
		expect(data.details.mail_server.mx_record).toBe('mx.inbox.test');
		expect((await sightingsOf('quick.nobody.asked')).smtp).toBe(0);
	});

	test('knows a catch-all domain that was asked before', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const email = 'jane.doe@google-catch-all.test';
		await verified(apiKey, email);
		const { data } = await quick(apiKey, email);
		expect(data.details.attributes.catch_all).toBe(true);
		expect(data.status).toBe('unknown');
	});

	test('needs a credit, although it may cost none', async () => {
		const { apiKey } = await makeAccount(service, 0);
		const answer = await call(service.url, apiKey, 'POST', '/v1/verify', {
			email: 'ada@inbox.test',
			mode: 'quick',
		});
		expectFailure(answer, 402, 'insufficient_credits');
	});
});

test('mode full is what a call without a mode asks for, under the same Idempotency-Key', async () => {
	const { apiKey } = await makeAccount(service, 2);
	const headers = { 'idempotency-key': 'sign-up-1' };
	const ask = async (body: object) => call(service.url, apiKey, 'POST', '/v1/verify', body, headers);
	const first = await ask({ email: 'ada@inbox.test' });
	const repeated = await ask({ email: 'ada@inbox.test', mode: 'full' });
	expect(repeated.text).toBe(first.text);
	expectFailure(await ask({ email: 'ada@inbox.test', mode: 'quick' }), 409, 'idempotency_key_reused');
});

test.each([
	['rejected_email', 'unknown', 'not_asked'],
	['invalid_domain', 'undeliverable', 'invalid_domain'],
	['possible_typo', 'risky', 'possible_typo'],
	['slow', 'unknown', 'not_asked'],
])('a test key answers %s quickly with %s (%s)', async (word, status, subStatus) => {
	const { apiKey } = await newTestKey();
	const { data } = await quick(apiKey, `${word}@test.mailsonar.example`);
	expect([data.status, data.details.sub_status]).toEqual([status, subStatus]);
});
