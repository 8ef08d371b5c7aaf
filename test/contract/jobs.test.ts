import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, expectRateLimited, rateLimitOf } from './api.ts';
import { PATIENT, completed, getJob, getResults, many, submit, submitted } from './jobs-api.ts';
import { revokeKeyOf, setLimits } from './operator.ts';

// POST /v1/verify-batch and GET /v1/jobs/:jobId. A job's results: job-results.test.ts; idempotency.test.ts.

const service = inject('service');
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const EMAILS_MAX = 50_000;
const BODY_OCTETS_MAX = 14 * 1024 * 1024;

describe('POST /v1/verify-batch', () => {
	test('counts what cleaning takes out, and reserves what is left', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const emails = ['Ada@inbox.test', ' ada@INBOX.test ', 'ADA@inbox.test', 'x', '', 'X', PATIENT];
		const { data, meta } = await submitted(apiKey, emails);
		const { requestId, ...told } = meta;
		expect(told).toEqual({ acceptedEmails: 2, rejectedEmails: 5, duplicateEmails: 2, invalidEmails: 3 });
		expect(requestId).toMatch(/^req_/);
		expect(data).toMatchObject({ submittedEmails: 7, totalEmails: 2, name: null });
		// The job goes on saying it.
		const rejected = { rejectedEmails: 5, duplicateEmails: 2, invalidEmails: 3 };
		expect(data).toMatchObject(rejected);
		expect((await getJob(apiKey, data.jobId)).body).toMatchObject({ data: rejected });
		const balance = await balanceOf(apiKey);
		expect(balance.balance).toBe(balance.availableCredits + balance.reservedCredits);
		expect(balance.reservedCredits).toBeGreaterThan(0);
	});

	test('50,000 copies of one address are one', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const { data, meta } = await submitted(
			apiKey,
			Array.from({ length: EMAILS_MAX }, () => 'ada@inbox.test'),
		);
		expect(meta).toMatchObject({ acceptedEmails: 1, duplicateEmails: EMAILS_MAX - 1, invalidEmails: 0 });
		await completed(apiKey, data.jobId);
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 1 });
	});

	test.each([
		['14 MiB and an octet', ' '.repeat(BODY_OCTETS_MAX + 1), /longer than 14680064/],
		[
			'25 MiB',
			JSON.stringify({ emails: ['ada@inbox.test'] }).padEnd(25 * 1024 * 1024),
			/longer than 14680064/,
		],
	])('with %s is a 400 that reserves nothing', async (_, body, says) => {
		const { apiKey } = await makeAccount(service, EMAILS_MAX + 1);
		const before = await balanceOf(apiKey);
		expect(expectFailure(await submit(apiKey, body), 400)).toMatch(says);
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test('a name of 255 emoji and a body of exactly 14 MiB are taken', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const name = '\u{1F600}'.repeat(255);
		const body = Buffer.alloc(BODY_OCTETS_MAX, ' ');
		body.write(JSON.stringify({ emails: ['ada@inbox.test'], name }));
		const answer = await submit(apiKey, new Uint8Array(body));
		expect(answer.status, answer.text).toBe(202);
		expect(answer.body).toMatchObject({ data: { name } });
	});

	test('with fewer credits than addresses is a 402, and the balance stays as it was', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const before = await balanceOf(apiKey);
		expectFailure(await submit(apiKey, { emails: many(3) }), 402);
		expect(await balanceOf(apiKey)).toEqual(before);
		// Duplicates and malformed ones cost nothing.
		await submitted(apiKey, ['ada@inbox.test', 'bob@inbox.test', 'ADA@inbox.test', 'x']);
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
		const other = await call(
			service.url,
			apiKey,
			'POST',
			'/v1/verify-batch?column=1&name=June',
			text,
			headers,
		);
		expectFailure(other, 409, 'idempotency_key_reused');
	});

	test('as CSV with several columns of addresses is a 400 that names them, and a form one that says how', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const send = async (type: string) =>
			submit(apiKey, 'Email,Boss\nada@inbox.test,bob@inbox.test\n', { 'content-type': type });
		const answer = await send('text/csv');
		expect(expectFailure(answer, 400, 'missing_parameter')).toContain('1 (Email), 2 (Boss)');
		expect(answer.body).toMatchObject({ param: 'column' });
		const form = await send('application/x-www-form-urlencoded');
		expect(expectFailure(form, 400, 'unsupported_media_type')).toContain('--data-binary');
		expectFailure(await send('multipart/form-data; boundary=x'), 400, 'unsupported_media_type');
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
		expect(asText.body).toMatchObject({ data: { acceptedEmails: 2, duplicateEmails: 2, maxCredits: 2 } });
		expectFailure(await submit(apiKey, { emails: ['x'], dryRun: true }), 400, 'no_valid_emails');
		expect(await balanceOf(apiKey)).toEqual(before);
		expect((await call(service.url, apiKey, 'GET', '/v1/jobs')).body).toMatchObject({ data: { jobs: [] } });
		expect((await submit(apiKey, { emails: ['ada@inbox.test'] }, key)).status).toBe(202);
	});

	test('has a window of its own of 30, and its jobs one of 600', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const answer = await submit(apiKey, { emails: ['ada@inbox.test'] });
		expect(rateLimitOf(answer)).toMatchObject({ limit: 30, remaining: 29 });
		const { jobId } = (answer.body as { data: { jobId: string } }).data;
		expect(rateLimitOf(await getJob(apiKey, jobId))).toMatchObject({ limit: 600, remaining: 599 });
		expect(rateLimitOf(await getResults(apiKey, jobId))).toMatchObject({ limit: 600, remaining: 598 });
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

describe('GET /v1/jobs/:jobId', () => {
	test('shows the counters live: none ever falls, and at the end everything is accounted for', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const emails = ['ada@inbox.test', 'nobody@inbox.test', 'ada@full.test', 'ada@catch-all.test', PATIENT];
		const { data } = await submitted(apiKey, emails);
		const states = await completed(apiKey, data.jobId);
		let before = 0;
		for (const { processedEmails, progress, statusCounts, actionCounts, ...state } of states) {
			expect(processedEmails).toBeGreaterThanOrEqual(before);
			before = processedEmails;
			const { catchAll, ...outcomes } = statusCounts;
			const counted = Object.values(actionCounts).reduce((sum, n) => sum + n, 0);
			expect(counted).toBe(processedEmails);
			expect(Object.values(outcomes).reduce((sum, n) => sum + n, 0)).toBe(processedEmails);
			expect(catchAll).toBeLessThanOrEqual(processedEmails);
			const percentage = Math.floor((100 * processedEmails) / emails.length);
			expect(progress).toEqual({ total: emails.length, processed: processedEmails, percentage });
			const { creditsReserved, creditsUsed, creditsRefunded } = state;
			expect(creditsReserved + creditsUsed + creditsRefunded).toBe(emails.length);
		}
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
});
