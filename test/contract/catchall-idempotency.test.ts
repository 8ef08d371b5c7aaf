import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure } from './api.ts';
import { SLOW, finished, sourceJob, startTask, taskIn } from './catchall-api.ts';
import { submit } from './jobs-api.ts';

// POST /v1/catchall with an Idempotency-Key.

const service = inject('service');
const key = (value: string): Record<string, string> => ({ 'idempotency-key': value });
const VALID = 'jane.doe@google-catch-all.test';

describe('Idempotency-Key of a task', () => {
	test('repeats the first answer byte for byte, while the task runs and after its end', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const jobId = await sourceJob(apiKey, [SLOW, VALID]);
		const body = { jobId, name: 'twice' };
		const first = await startTask(apiKey, body, key('k'));
		const { taskId } = taskIn(first);
		expect(first.headers.get('idempotent-replayed')).toBeNull();
		const again = async (): Promise<void> => {
			const replay = await startTask(apiKey, body, key('k'));
			expect([replay.status, replay.text]).toEqual([202, first.text]);
			expect(replay.headers.get('idempotent-replayed')).toBe('true');
			expect(replay.headers.get('content-type')).toMatch(/^application\/json/);
		};
		await again();
		await finished(apiKey, taskId);
		await again();
		// White space and extras of the JSON do not make another request of it.
		const wordy = JSON.stringify({ ...body, status: 'any' }, null, 2);
		expect((await startTask(apiKey, wordy, key('k'))).text).toBe(first.text);
		// Two for the job, one for the task, whose other row is unknown.
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 3, totalRefunded: 1, reservedCredits: 0 });
	});

	test('with another job or name is a 409 without a status, and makes no task', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const [jobId, other] = [await sourceJob(apiKey, [VALID]), await sourceJob(apiKey, [VALID])];
		await finished(apiKey, taskIn(await startTask(apiKey, { jobId, name: 'one' }, key('k'))).taskId);
		const before = await balanceOf(apiKey);
		for (const body of [
			{ jobId: other, name: 'one' },
			{ jobId, name: 'two' },
			{ jobId },
			{ jobId: 'job_nobody', name: 'one' },
		])
			expectFailure(await startTask(apiKey, body, key('k')), 409, 'idempotency_key_reused');
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test('is another one than that of POST /v1/verify-batch', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const answer = await submit(apiKey, { emails: ['ada@inbox.test'] }, key('same'));
		const { jobId } = (answer.body as { data: { jobId: string } }).data;
		const source = await sourceJob(apiKey, [VALID]);
		const task = await startTask(apiKey, { jobId: source }, key('same'));
		expect(taskIn(task).sourceJobId).toBe(source);
		expect(task.headers.get('idempotent-replayed')).toBeNull();
		const again = await submit(apiKey, { emails: ['ada@inbox.test'] }, key('same'));
		expect((again.body as { data: { jobId: string } }).data.jobId).toBe(jobId);
	});
});
