import { expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, sightingsOf, verified } from './api.ts';
import { newTestKey } from './operator.ts';

// POST /v1/verify with `timeoutMs`: an answer by then, and the end of the question for the next call.

const service = inject('service');
// The promise is 200 ms; this machine does other things as well.
const SLACK_MS = 2_000;

async function ask(apiKey: string, email: string, timeoutMs?: number) {
	const begun = Date.now();
	const said = await verified(apiKey, email, service.url, { timeoutMs });
	return { ...said, ms: Date.now() - begun };
}

test('the answer comes in time and is free; the next call gets its end without another question, for one credit', async () => {
	const { apiKey } = await makeAccount(service, 2);
	// It waits two seconds before every reply.
	const email = 'grace@tarpit.test';
	const first = await ask(apiKey, email, 1_000);
	expect(first.ms).toBeLessThan(1_000 + SLACK_MS);
	expect(first.data).toMatchObject({ status: 'unknown', details: { sub_status: 'timeout' } });
	expect(first.data.details.mail_server.mx_record).toBe('mx.tarpit.test');
	expect(first.data.retry_after).toBeGreaterThan(0);
	expect(first.meta).toMatchObject({ creditsUsed: 0, creditsRemaining: 2 });
	const second = await ask(apiKey, email);
	expect(second.data).toMatchObject({ email, status: 'deliverable', retry_after: null });
	expect(second.meta).toMatchObject({ creditsUsed: 1, creditsRemaining: 1 });
	expect(await sightingsOf(email)).toMatchObject({ smtp: 1 });
	expect(await balanceOf(apiKey)).toMatchObject({
		availableCredits: 1,
		reservedCredits: 0,
		totalConsumed: 1,
	});
});

test('an answer that is there in time is as ever', async () => {
	const { apiKey } = await makeAccount(service, 1);
	const { data, meta } = await ask(apiKey, 'ada@inbox.test', 20_000);
	expect([data.status, meta.creditsUsed]).toEqual(['deliverable', 1]);
});

test('another account gets nothing of the question', async () => {
	const { apiKey } = await makeAccount(service, 1);
	const other = await makeAccount(service, 1);
	const email = 'other.account@tarpit.test';
	await ask(apiKey, email, 500);
	const { data, meta } = await ask(other.apiKey, email, 500);
	expect([data.details.sub_status, meta.creditsUsed]).toEqual(['timeout', 0]);
});

test('a test key times out on the word slow', async () => {
	const { apiKey: testKey } = await newTestKey();
	const { data, meta, ms } = await ask(testKey, 'slow@test.mailsonar.example', 500);
	expect(ms).toBeLessThan(500 + SLACK_MS);
	expect([data.details.sub_status, meta.creditsUsed]).toEqual(['timeout', 0]);
	expect(data.retry_after).toBeGreaterThan(0);
});
