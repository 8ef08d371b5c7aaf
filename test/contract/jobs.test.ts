import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { anyTime, balanceOf, expectFailure, expectRateLimited } from './api.ts';
import { patient, completed, getJob, many, submit, submitted } from './jobs-api.ts';
import { revokeKeyOf, setLimits } from './operator.ts';

// POST /v1/verify-batch and GET /v1/jobs/:jobId. Lists that resolve their catch-all addresses: one-answer.test.ts.

const service = inject('service');
const BODY_OCTETS_MAX = 14 * 1024 * 1024;

describe('POST /v1/verify-batch', () => {
	test('counts what cleaning takes out, and reserves what is left', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const emails = ['Ada@inbox.test', ' ada@INBOX.test ', 'ADA@inbox.test', 'x', '', 'X', patient()];
		const { data, meta } = await submitted(apiKey, emails);
		const { requestId, ...told } = meta;
		const rejected = { rejectedEmails: 5, duplicateEmails: 2, invalidEmails: 3 };
		expect(told).toEqual({ acceptedEmails: 2, ...rejected });
		expect(requestId).toMatch(/^req_/);
		expect(data).toMatchObject({ submittedEmails: 7, totalEmails: 2, name: null, ...rejected });
		// The job goes on saying it.
		expect((await getJob(apiKey, data.jobId)).body).toMatchObject({ data: rejected });
		const balance = await balanceOf(apiKey);
		expect(balance.reservedCredits).toBeGreaterThan(0);
	});

	test('takes a name of 255 emoji in a body of exactly 14 MiB, and not an octet more', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const name = '\u{1F600}'.repeat(255);
		const bodyOf = (octets: number): Uint8Array => {
			const body = Buffer.alloc(octets, ' ');
			body.write(JSON.stringify({ emails: ['ada@inbox.test'], name }));
			return new Uint8Array(body);
		};
		const longer = await submit(apiKey, bodyOf(BODY_OCTETS_MAX + 1));
		expect(expectFailure(longer, 400, 'body_too_large')).toContain('longer than 14680064');
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1 });
		const answer = await submit(apiKey, bodyOf(BODY_OCTETS_MAX));
		expect([answer.status, answer.body], answer.text).toMatchObject([202, { data: { name } }]);
	});

	test('with fewer credits than addresses is a 402, and the balance stays as it was', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const before = await balanceOf(apiKey);
		expectFailure(await submit(apiKey, { emails: many(3) }), 402);
		expect(await balanceOf(apiKey)).toEqual(before);
		// Duplicates and malformed ones cost nothing.
		await submitted(apiKey, ['ada@inbox.test', 'bob@inbox.test', 'ADA@inbox.test', 'x']);
	});

	// Clients send flags of their own making, which must never cost them their list. A known flag of another type is a 400.
	test.each([
		['the flag in the other spelling', { autoCatchallRescue: true }, true],
		['both spellings that disagree', { auto_catchall_rescue: false, autoCatchallRescue: true }, false],
		['null in its place', { auto_catchall_rescue: null }, false],
		['other flags beside it', { check_syntax: true, depth: 7, auto_catchall_rescue: true }, true],
		['null', null, false],
	])('takes validationFlags with %s', async (_, validationFlags, is) => {
		const { apiKey } = await makeAccount(service, 1);
		const { data } = await submitted(apiKey, ['ada@inbox.test'], service.url, { validationFlags });
		expect(data.validationFlags).toEqual({ auto_catchall_rescue: is });
	});

	test.each<[string, string, string, object]>([
		['text/plain', '', '\uFEFFada@inbox.test\r\nADA@inbox.test\r\n\r\nx\r\n', {}],
		['text/csv; charset=utf-8', '', 'Name,Email\nAda,ada@inbox.test\nAda,ADA@inbox.test\nX,x\n', {}],
		[
			'text/csv',
			'?column=b&name=July&auto_catchall_rescue=true&dedupe=mailbox',
			'a,b\nb@inbox.test,ada@inbox.test\n,ada@inbox.test\n,x',
			{ name: 'July', validationFlags: { auto_catchall_rescue: true } },
		],
	])('as %s is the job that a body of JSON makes', async (type, query, text, more) => {
		const { apiKey } = await makeAccount(service, 10);
		const path = `/v1/verify-batch${query}`;
		const headers = { 'content-type': type, 'idempotency-key': 'k' };
		const answer = await call(service.url, apiKey, 'POST', path, text, headers);
		expect(answer.status, answer.text).toBe(202);
		const counts = { submittedEmails: 3, acceptedEmails: 1, duplicateEmails: 1, invalidEmails: 1 };
		expect(answer.body).toMatchObject({ data: { ...counts, ...more } });
		// Another column, name or flag is another request.
		expect((await call(service.url, apiKey, 'POST', path, text, headers)).text).toBe(answer.text);
		const other = '/v1/verify-batch?column=1&name=June';
		const answered = await call(service.url, apiKey, 'POST', other, text, headers);
		expectFailure(answered, 409, 'idempotency_key_reused');
	});

	test('with dryRun says what the list holds and costs at most; nothing is reserved, made or remembered', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const before = await balanceOf(apiKey);
		const emails = ['j.doe@gmail.com', 'jdoe@gmail.com', 'ada@inbox.test', 'x', 'ADA@inbox.test'];
		const key = { 'idempotency-key': 'k' };
		const dry = await submit(apiKey, { emails, dryRun: true }, key);
		const counts = {
			submittedEmails: 5,
			acceptedEmails: 3,
			duplicateEmails: 1,
			invalidEmails: 1,
			maxCredits: 3,
		};
		expect([dry.status, (dry.body as { data: object }).data]).toEqual([200, counts]);
		const lines = emails.join('\n');
		const path = '/v1/verify-batch?dryRun=true&dedupe=mailbox';
		const asText = await call(service.url, apiKey, 'POST', path, lines, {
			'content-type': 'text/plain',
			...key,
		});
		const asJson = await submit(apiKey, { emails, dryRun: true, dedupe: 'mailbox' });
		for (const { body } of [asText, asJson])
			expect(body).toMatchObject({ data: { acceptedEmails: 2, duplicateEmails: 2, maxCredits: 2 } });
		expectFailure(await submit(apiKey, { emails: ['x'], dryRun: true }), 400, 'no_valid_emails');
		expect(await balanceOf(apiKey)).toEqual(before);
		expect((await call(service.url, apiKey, 'GET', '/v1/jobs')).body).toMatchObject({ data: { jobs: [] } });
		expect((await submit(apiKey, { emails: ['ada@inbox.test'] }, key)).status).toBe(202);
	});

	test('without the right to come in is told so, however long the body and whatever it holds', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const hostile = '['.repeat(BODY_OCTETS_MAX);
		expect(expectFailure(await submit(apiKey, hostile), 400)).toContain('JSON object with emails');
		await setLimits(accountId, { batch: 1 });
		expectRateLimited(await submit(apiKey, hostile));
		expectRateLimited(await submit(apiKey, ' '.repeat(25 * 1024 * 1024)));
		await revokeKeyOf(accountId);
		expectFailure(await submit(apiKey, hostile), 401);
	});
});

test('GET /v1/jobs/:jobId shows the counters live: none ever falls, and at the end everything is accounted for', async () => {
	const { apiKey } = await makeAccount(service, 10);
	const emails = ['ada@inbox.test', 'nobody@inbox.test', 'ada@full.test', 'ada@catch-all.test', patient()];
	const { data } = await submitted(apiKey, emails);
	const states = await completed(apiKey, data.jobId);
	for (const { creditsReserved, creditsUsed, creditsRefunded } of states)
		expect(creditsReserved + creditsUsed + creditsRefunded).toBe(emails.length);
	const running = states.filter(({ status }) => status === 'processing');
	expect(running.some(({ processedEmails }) => processedEmails === 4)).toBe(true);
	const waiting = running.find(({ waitingEmails }) => waitingEmails === 1);
	expect(waiting?.nextAttemptAt).toEqual(anyTime);
	expect(states.at(-1)).toMatchObject({
		status: 'completed',
		processedEmails: 5,
		progress: { percentage: 100 },
		statusCounts: { deliverable: 1, undeliverable: 1, risky: 2, unknown: 1, catchAll: 1 },
		actionCounts: { send: 1, hold: 2, retry: 1, drop: 1 },
		waitingEmails: 0,
		nextAttemptAt: null,
		creditsReserved: 0,
		creditsUsed: 4,
		creditsRefunded: 1,
		completedAt: anyTime,
		resultsExpired: false,
		error: null,
	});
	const { completedAt, resultsExpiresAt } = states.at(-1) ?? {};
	const lasting = Date.parse(resultsExpiresAt ?? '') - Date.parse(completedAt ?? '');
	expect(lasting).toBe(48 * 3_600_000);
	expect(await balanceOf(apiKey)).toMatchObject({
		balance: 6,
		availableCredits: 6,
		reservedCredits: 0,
		totalPurchased: 10,
		totalConsumed: 4,
		totalRefunded: 1,
		transactionCount: 2,
	});
});
