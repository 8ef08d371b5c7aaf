import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, expectNotReady, rateLimitOf } from './api.ts';
import {
	SLOW_TOO,
	finished,
	getDownload,
	getTask,
	getVerdicts,
	sourceJob,
	startTask,
	startedTask,
	taskIn,
	taskOf,
} from './catchall-api.ts';
import { PATIENT, getJob, submitted } from './jobs-api.ts';

// POST /v1/catchall and GET /v1/catchall/:taskId. Rows and CSV: catchall-results.test.ts.

const service = inject('service');
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const GOOGLE = 'jane.doe@google-catch-all.test';
const BODY_OCTETS_MAX = 1_048_576;

describe('POST /v1/catchall', () => {
	test('takes the catch-all rows alone, and reserves a credit for each', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const jobId = await sourceJob(apiKey, ['ada@inbox.test', SLOW_TOO, 'nobody@inbox.test', GOOGLE]);
		const task = taskIn(await startTask(apiKey, { jobId, name: 'July, again' }));
		expect(task).toMatchObject({
			sourceJobId: jobId,
			name: 'July, again',
			totalEmails: 2,
			creditsRequired: 2,
		});
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 6, availableCredits: 4, reservedCredits: 2 });
	});

	test('is named by its job, the last one where there are several', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const jobId = await sourceJob(apiKey, ['ada@inbox.test']);
		const named = async () => (await getJob(apiKey, jobId)).body;
		expect(await named()).toMatchObject({ data: { catchAllTaskId: null } });
		for (const _ of [1, 2]) {
			const { taskId } = await startedTask(apiKey, jobId);
			expect(await named()).toMatchObject({ data: { catchAllTaskId: taskId } });
		}
	});

	test('over a job without catch-all rows is completed at once and costs nothing', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const task = await startedTask(apiKey, await sourceJob(apiKey, ['ada@inbox.test']));
		expect(task).toMatchObject({
			status: 'completed',
			totalEmails: 0,
			creditsRequired: 0,
			progress: { total: 0, processed: 0, percentage: 100 },
			completedAt: task.createdAt,
		});
		expect(await taskOf(apiKey, task.taskId)).toEqual(task);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 0, reservedCredits: 0 });
		expect((await getVerdicts(apiKey, task.taskId)).body).toMatchObject({
			data: { results: [], pagination: { total: 0, page: 1, limit: 25, pages: 0, hasNextPage: false } },
		});
		expect((await getDownload(apiKey, task.taskId)).text).toBe('Email,Score,Verdict\r\n');
	});

	test('ignores fields that it does not know, and takes a name of 255 characters in a MiB', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const jobId = await sourceJob(apiKey, ['ada@inbox.test']);
		const name = 'n'.repeat(255);
		const body = JSON.stringify({ jobId, name, validationFlags: [], status: 'any' }).padEnd(BODY_OCTETS_MAX);
		expect(taskIn(await startTask(apiKey, body))).toMatchObject({ name });
	});

	test('over a job that runs is a 409 with its status', async () => {
		const { apiKey } = await makeAccount(service);
		const { data } = await submitted(apiKey, [PATIENT]);
		const said = expectNotReady(await startTask(apiKey, { jobId: data.jobId }), 'processing');
		expect(said).toMatch(/processing/);
	});

	test('with fewer credits than catch-all rows is a 402 that reserves nothing', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const jobId = await sourceJob(apiKey, [GOOGLE, 'ada@catch-all.test', 'ada@inbox.test']);
		const before = await balanceOf(apiKey);
		expect(before).toMatchObject({ availableCredits: 2 });
		// All of them fit, and then they are gone.
		const first = await startedTask(apiKey, jobId);
		expectFailure(await startTask(apiKey, { jobId }), 402);
		await finished(apiKey, first.taskId);
		expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
		const after = await balanceOf(apiKey);
		expectFailure(await startTask(apiKey, { jobId }), 402);
		expect(await balanceOf(apiKey)).toEqual(after);
	});

	test('counts as batch, its reads as default', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const answer = await startTask(apiKey, { jobId: await sourceJob(apiKey, ['ada@inbox.test']) });
		// The job was the first.
		expect(rateLimitOf(answer)).toMatchObject({ limit: 30, remaining: 28 });
		const { taskId } = taskIn(answer);
		const reads = [getTask, getVerdicts, getDownload].map(async (read) => read(apiKey, taskId));
		const limits = (await Promise.all(reads)).map(rateLimitOf);
		expect(limits.map(({ limit }) => limit)).toEqual([300, 300, 300]);
		expect(Math.min(...limits.map(({ remaining }) => remaining))).toBe(297);
	});
});

describe('GET /v1/catchall/:taskId', () => {
	test('shows the verdicts live: no figure ever falls, and at the end everything is accounted for', async () => {
		const { apiKey } = await makeAccount(service, 30);
		const people = ['anna.schmidt', 'peter.becker', 'maria.wagner', 'thomas.novak', 'laura.rossi', 'j.weber'];
		const emails = ['catch-all', 'google-catch-all'].flatMap((domain) =>
			people.map((person) => `${person}@${domain}.test`),
		);
		const { taskId } = await startedTask(apiKey, await sourceJob(apiKey, [...emails, SLOW_TOO]));
		const states = await finished(apiKey, taskId);
		let before = 0;
		for (const { processedEmails, progress, verdictCounts, creditsUsed, creditsRefunded } of states) {
			expect(processedEmails).toBeGreaterThanOrEqual(before);
			before = processedEmails;
			const { valid, invalid, unknown } = verdictCounts;
			expect(valid + invalid + unknown).toBe(processedEmails);
			expect([creditsUsed, creditsRefunded]).toEqual([valid + invalid, unknown]);
			const percentage = Math.floor((100 * processedEmails) / 13);
			expect(progress).toEqual({ total: 13, processed: processedEmails, percentage });
		}
		const running = states.filter(({ status }) => status === 'processing');
		expect(running.some(({ processedEmails }) => processedEmails > 0 && processedEmails < 13)).toBe(true);
		const last = states.at(-1);
		expect(last).toMatchObject({
			status: 'completed',
			processedEmails: 13,
			// Five known names of each domain are written alike. Nothing speaks for `j.weber` and the slow one.
			verdictCounts: { valid: 10, invalid: 0, unknown: 3 },
			creditsRequired: 13,
			creditsUsed: 10,
			creditsRefunded: 3,
			waitingEmails: 0,
			completedAt: anyTime,
			resultsExpired: false,
		});
		const lasting = Date.parse(last?.resultsExpiresAt ?? '') - Date.parse(last?.completedAt ?? '');
		expect(lasting).toBe(48 * 3_600_000);
		expect(await balanceOf(apiKey)).toMatchObject({
			balance: 30 - 13 - 10,
			reservedCredits: 0,
			totalConsumed: 13 + 10,
			totalRefunded: 3,
			transactionCount: 3,
		});
	});
});
