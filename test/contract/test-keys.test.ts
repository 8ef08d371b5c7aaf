import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { balanceOf, expectFailure, expectNotReady, rateLimitOf, verified, verify } from './api.ts';
import { completed, finished, getJob, getResults, startedTask, submit, submitted } from './jobs-api.ts';
import { newTestKey, ops, setLimits } from './operator.ts';

// Keys whose answers are made up: nobody is asked, and nothing is spent.

const service = inject('service');
const at = (word: string): string => `${word}@test.mailsonar.example`;

describe('one address', () => {
	test('402, 429 and 503 bring that answer, 429 with the moment to come back', async () => {
		const { apiKey } = await newTestKey();
		expectFailure(await verify(apiKey, at('402')), 402, 'insufficient_credits');
		expectFailure(await verify(apiKey, at('503')), 503, 'upstream_unavailable');
		const answer = await verify(apiKey, at('429'));
		const body = { success: false, message: 'Developer API rate limit exceeded' };
		expect([answer.status, answer.body]).toEqual([429, body]);
		expect(answer.headers.get('retry-after'), 'a test of a retry does not wait').toBe('1');
	});

	test('a mistyped word is refused with the list of words, alone and in a list', async () => {
		const { apiKey } = await newTestKey();
		const words = 'is no word of the test keys, which are deliverable, undeliverable, ';
		const alone = await verify(apiKey, at('mailbox_ful'));
		expect(expectFailure(alone, 400, 'invalid_parameter')).toContain(`mailbox_ful ${words}`);
		const listed = await submit(apiKey, { emails: [at('deliverable'), at('mailbox_ful')] });
		expect(expectFailure(listed, 400, 'invalid_parameter')).toContain(words);
		expect([alone.body, listed.body]).toMatchObject([{ param: 'email' }, { param: 'emails' }]);
	});
});

test('no credit is touched, neither of the account nor of the million that a test key has; limits are those of the account', async () => {
	const { accountId, apiKey, liveKey } = await newTestKey(0);
	const before = await balanceOf(liveKey);
	await verified(apiKey, at('deliverable'));
	const { data } = await submitted(apiKey, [at('deliverable'), at('undeliverable'), at('valid')]);
	const free = { creditsReserved: 0, creditsUsed: 0, creditsRefunded: 0 };
	expect(data).toMatchObject(free);
	expect((await completed(apiKey, data.jobId)).at(-1)).toMatchObject(free);
	const { taskId } = await startedTask(apiKey, data.jobId);
	expect((await finished(apiKey, taskId)).at(-1)).toMatchObject({ creditsUsed: 0, creditsRefunded: 0 });
	expect(await balanceOf(liveKey)).toEqual(before);
	expectFailure(await getJob(liveKey, data.jobId), 404);
	// Each has a window of its own.
	await setLimits(accountId, { default: 301 });
	const windowOf = async (key: string) => rateLimitOf(await verify(key, at('greylisted')));
	const { remaining } = await windowOf(liveKey);
	expect(await windowOf(apiKey)).toMatchObject({ limit: 301 });
	expect(await windowOf(liveKey)).toMatchObject({ limit: 301, remaining: remaining - 1 });
	// A generated client may read integers of 32 bits.
	expect(await balanceOf(apiKey)).toMatchObject({ balance: 1_000_000, totalConsumed: 0, reservedCredits: 0 });
});

test('a list with the word fails in it fails, and with expired has results that are gone', async () => {
	const { apiKey } = await newTestKey();
	const { jobId } = (await submitted(apiKey, [at('deliverable'), at('fails')])).data;
	await expect
		.poll(async () => (await getJob(apiKey, jobId)).body)
		.toMatchObject({ data: { status: 'failed', creditsUsed: 0 } });
	const text = expectNotReady(await getResults(apiKey, jobId), 'failed');
	expect(text).toBe('The job failed, so it has no results');
	expectNotReady(await call(service.url, apiKey, 'POST', `/v1/jobs/${jobId}/finish`), 'failed');
	const { data } = await submitted(apiKey, [at('deliverable'), at('expired')]);
	await completed(apiKey, data.jobId);
	expect(expectFailure(await getResults(apiKey, data.jobId), 410)).toBe('The results have expired');
});

test('the key is refused while its account is suspended, and none can be made then', async () => {
	const { accountId, apiKey } = await newTestKey();
	await ops('POST', `/accounts/${accountId}/suspend`);
	expect((await verify(apiKey, at('deliverable'))).status).toBe(401);
	expect((await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'More' })).status).toBe(400);
	await ops('POST', `/accounts/${accountId}/unsuspend`);
	await verified(apiKey, at('deliverable'));
});
