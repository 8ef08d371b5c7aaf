import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, sightingsOf, verified } from './api.ts';
import { completed, resultsOf, submitted } from './jobs-api.ts';
import { newTestKey } from './operator.ts';

// POST /v1/verify with `explain`, `mode: "quick"` or `timeoutMs`. That each is another request under an Idempotency-Key:
// idempotency.test.ts.

const service = inject('service');

async function ask(apiKey: string, email: string, more: object = {}) {
	const begun = Date.now();
	const said = await verified(apiKey, email, service.url, more);
	return { ...said, ms: Date.now() - begun };
}

describe('evidence', () => {
	// Bounded, printable, and nothing of ours: test/unit/verification/evidence.test.ts.
	test('is there where it is asked for and not otherwise', async () => {
		const { apiKey } = await makeAccount(service, 20);
		expect((await ask(apiKey, 'ada@inbox.test')).data.evidence).toBeUndefined();
		const { evidence = [] } = (await ask(apiKey, 'nobody@inbox.test', { explain: true })).data;
		expect(evidence.map(({ step }) => step)).toEqual(
			expect.arrayContaining(['list', 'dns', 'connect', 'rcpt', 'rule']),
		);
		const reply = {
			host: 'mx.inbox.test',
			code: 550,
			source: 'reply-rules',
			rule: expect.stringMatching(/\S/),
		};
		expect(evidence.find(({ step }) => step === 'rcpt')).toMatchObject(reply);
		const times = evidence.map(({ at_ms: ms }) => ms);
		expect(Math.max(...times)).toBeLessThan(30_000);
		expect(times).toEqual(times.toSorted((one, other) => one - other));
		expect(evidence.at(-1)).toMatchObject({ step: 'rule', rule: 'rejected_email' });
	});

	test('of a row of a list is what is stored of it: code, status and rule', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const { data } = await submitted(apiKey, ['nobody@inbox.test', 'ada@no-such-domain.test']);
		await completed(apiKey, data.jobId);
		const [refused, gone] = (await resultsOf(apiKey, data.jobId, '?explain=true')).results;
		expect(refused?.evidence).toMatchObject([
			{ step: 'rcpt', code: 550 },
			{ step: 'rule', rule: 'rejected_email' },
		]);
		expect(gone?.evidence).toEqual([{ step: 'rule', at_ms: 0, rule: 'invalid_domain' }]);
		for (const row of (await resultsOf(apiKey, data.jobId)).results) expect(row.evidence).toBeUndefined();
	});
});

describe('a quick check', () => {
	const quick = (apiKey: string, email: string) => ask(apiKey, email, { mode: 'quick', explain: true });

	test.each([
		['ada@no-such-domain.test', 'undeliverable', 'invalid_domain', 'dns', 1],
		['jane.doe@outlok.com', 'risky', 'possible_typo', 'list', 1],
		['quick.nobody.asked@inbox.test', 'unknown', 'not_asked', 'dns', 0],
	])('says of %s: %s (%s), by %s, for %i, and asks no mail server', async (...row) => {
		const [email, status, subStatus, method, credits] = row;
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await quick(apiKey, email);
		const details = { sub_status: subStatus, general: { validation_method: method } };
		expect(data).toMatchObject({ email, status, details });
		expect(data.evidence?.some(({ step }) => !['list', 'dns', 'rule'].includes(step))).toBe(false);
		// Nothing is claimed that only a mail server could tell.
		expect(data.details.attributes.mailbox_full).toBeNull();
		expect(meta).toMatchObject({ creditsUsed: credits, creditsRemaining: 1 - credits });
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1 - credits, reservedCredits: 0 });
		expect((await sightingsOf('quick.nobody.asked')).smtp).toBe(0);
	});

	test('knows a catch-all domain that was asked before', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const email = 'jane.doe@google-catch-all.test';
		await ask(apiKey, email);
		const { data } = await quick(apiKey, email);
		expect([data.details.attributes.catch_all, data.status]).toEqual([true, 'unknown']);
	});

	test('by a test key has the words that lists and DNS decide', async () => {
		const { apiKey } = await newTestKey();
		for (const [word, subStatus] of [
			['rejected_email', 'not_asked'],
			['invalid_domain', 'invalid_domain'],
			['possible_typo', 'possible_typo'],
			['slow', 'not_asked'],
		])
			expect((await quick(apiKey, `${word}@test.mailsonar.example`)).data.details.sub_status).toBe(subStatus);
	});
});

describe('a call with a time limit', () => {
	// The promise is 200 ms; this machine does other things as well.
	const SLACK_MS = 2_000;

	test('is answered in time and for nothing; the next one of its account gets the end without another question', async () => {
		const { apiKey } = await makeAccount(service, 2);
		// It waits two seconds before every reply.
		const email = 'grace@tarpit.test';
		const first = await ask(apiKey, email, { timeoutMs: 1_000 });
		expect(first.ms).toBeLessThan(1_000 + SLACK_MS);
		expect(first.data).toMatchObject({ status: 'unknown', details: { sub_status: 'timeout' } });
		expect(first.data.details.mail_server.mx_record).toBe('mx.tarpit.test');
		expect(first.data.retry_after).toBeGreaterThan(0);
		expect(first.meta).toMatchObject({ creditsUsed: 0, creditsRemaining: 2 });
		const second = await ask(apiKey, email);
		expect(second.data).toMatchObject({ email, status: 'deliverable', retry_after: null });
		expect(second.meta).toMatchObject({ creditsUsed: 1, creditsRemaining: 1 });
		expect(await sightingsOf(email)).toMatchObject({ smtp: 1 });
		const after = { availableCredits: 1, reservedCredits: 0, totalConsumed: 1 };
		expect(await balanceOf(apiKey)).toMatchObject(after);
		// Another account gets nothing of it.
		const [one, other] = [await makeAccount(service, 1), await makeAccount(service, 1)];
		await ask(one.apiKey, 'other.account@tarpit.test', { timeoutMs: 500 });
		const { data, meta } = await ask(other.apiKey, 'other.account@tarpit.test', { timeoutMs: 500 });
		expect([data.details.sub_status, meta.creditsUsed]).toEqual(['timeout', 0]);
	});

	test('is as ever where the answer is there in time, and has a word of the test keys', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await ask(apiKey, 'ada@inbox.test', { timeoutMs: 20_000 });
		expect([data.status, meta.creditsUsed]).toEqual(['deliverable', 1]);
		const { apiKey: testKey } = await newTestKey();
		const slow = await ask(testKey, 'slow@test.mailsonar.example', { timeoutMs: 500 });
		expect(slow.ms).toBeLessThan(500 + SLACK_MS);
		expect([slow.data.details.sub_status, slow.meta.creditsUsed]).toEqual(['timeout', 0]);
		expect(slow.data.retry_after).toBeGreaterThan(0);
	});
});
