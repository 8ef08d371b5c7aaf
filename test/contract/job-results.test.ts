import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { expectFailure, expectNotReady } from './api.ts';
import { finished, getDownload, getVerdicts, sourceJob, startedTask, taskOf } from './catchall-api.ts';
import { PATIENT, completed, getResults, jobOf, resultsOf, submitted } from './jobs-api.ts';

// GET /v1/jobs/:jobId/results

const service = inject('service');

describe('GET /v1/jobs/:jobId/results', () => {
	// Two outcomes in turn, three domains, so that the order in which parts are worked on is another one.
	const list = Array.from(
		{ length: 60 },
		(_, n) =>
			[`ada${n}@one-recipient.test`, `nobody@missing-${n}.test`, `x${n}@shop-00${(n % 9) + 1}.test`][n % 3] ??
			'',
	);
	let apiKey = '';
	let jobId = '';

	beforeAll(async () => {
		({ apiKey } = await makeAccount(service, 100));
		const emails = [
			'ada@catch-all.test',
			'ada@full.test',
			'Ada@Inbox.test',
			...list,
			'ada@refused.test',
			'ADA@inbox.TEST',
		];
		({ jobId } = (await submitted(apiKey, emails)).data);
		await completed(apiKey, jobId);
	});

	test('are in the order of the first occurrences, with the first spelling', async () => {
		const { results } = await resultsOf(apiKey, jobId, '?limit=500');
		expect(results.map(({ email }) => email)).toEqual([
			'ada@catch-all.test',
			'ada@full.test',
			'Ada@inbox.test',
			...list,
			'ada@refused.test',
		]);
	});

	test('in pages are the whole list, each row once', async () => {
		const whole = await resultsOf(apiKey, jobId, '?limit=500');
		for (const limit of [1, 7, 25, 63, 64, 65, 500]) {
			const pages = Math.ceil(64 / limit);
			const rows: unknown[] = [];
			for (let page = 1; page <= pages; page += limit === 1 ? 21 : 1) {
				const { results, pagination } = await resultsOf(apiKey, jobId, `?page=${page}&limit=${limit}`);
				expect(pagination).toEqual({ total: 64, page, limit, pages, hasNextPage: page < pages });
				expect(results).toEqual(whole.results.slice((page - 1) * limit, page * limit));
				rows.push(...results);
			}
			if (limit > 1) expect(rows).toEqual(whole.results);
		}
	});

	test('are 25 a page unless told otherwise, and a page past the end is empty', async () => {
		const first = await resultsOf(apiKey, jobId);
		expect(first.results).toHaveLength(25);
		expect(first.pagination).toEqual({ total: 64, page: 1, limit: 25, pages: 3, hasNextPage: true });
		for (const page of [4, 999_999_999]) {
			const past = await resultsOf(apiKey, jobId, `?page=${page}`);
			expect(past.results).toEqual([]);
			expect(past.pagination).toEqual({ total: 64, page, limit: 25, pages: 3, hasNextPage: false });
		}
	});

	test('can be filtered by each outcome, and pagination then counts what is left', async () => {
		const whole = (await resultsOf(apiKey, jobId, '?limit=500')).results;
		const { statusCounts } = await jobOf(apiKey, jobId);
		for (const status of ['deliverable', 'undeliverable', 'risky', 'unknown'] as const) {
			const expected = whole.filter((row) => row.status === status);
			expect(expected.length, status).toBe(statusCounts[status]);
			const { results, pagination } = await resultsOf(apiKey, jobId, `?limit=500&status=${status}`);
			expect(results).toEqual(expected);
			expect(pagination.total).toBe(expected.length);
		}
		const [total, second] = [statusCounts.undeliverable, '?limit=3&page=2&status=undeliverable'];
		const page = await resultsOf(apiKey, jobId, second);
		expect(page.pagination).toMatchObject({ total, pages: Math.ceil(total / 3) });
		expect(page.results).toEqual(whole.filter(({ status }) => status === 'undeliverable').slice(3, 6));
	});

	test('filtered by catch_all are the rows of catch-all domains, whatever their status', async () => {
		const { results, pagination } = await resultsOf(apiKey, jobId, '?status=catch_all');
		expect(results).toMatchObject([{ email: 'ada@catch-all.test', status: 'risky' }]);
		expect(pagination).toMatchObject({ total: 1, pages: 1, hasNextPage: false });
	});

	test('are a 409 with its status while the job runs', async () => {
		const account = await makeAccount(service);
		const { data } = await submitted(account.apiKey, [PATIENT]);
		expect(expectNotReady(await getResults(account.apiKey, data.jobId), 'processing')).toMatch(/processing/);
		// A wrong query is told first.
		expectFailure(await getResults(account.apiKey, data.jobId, '?limit=0'), 400);
	});
});

describe('after results expired', () => {
	let brief: TestService;

	beforeAll(async () => {
		brief = await startTestService({ vars: { RESULTS_TTL_SECONDS: '2' } });
	});

	afterAll(async () => {
		await brief?.remove();
	});

	test('they are a 410, and the record stays with its counters', async () => {
		const { apiKey } = await makeAccount(brief, 10);
		const { data } = await submitted(apiKey, ['ada@inbox.test', 'nobody@inbox.test'], brief.url);
		const { jobId } = data;
		await completed(apiKey, jobId, brief.url);
		await expect.poll(async () => (await jobOf(apiKey, jobId, brief.url)).resultsExpired).toBe(true);
		expectFailure(await getResults(apiKey, jobId, '', brief.url), 410, 'results_expired');
		expectFailure(await getResults(apiKey, jobId, '?page=99', brief.url), 410, 'results_expired');
		expect(await jobOf(apiKey, jobId, brief.url)).toMatchObject({
			status: 'completed',
			processedEmails: 2,
			statusCounts: { deliverable: 1, undeliverable: 1, risky: 0, unknown: 0, catchAll: 0 },
			creditsUsed: 2,
		});
	});

	test('those of a task are a 410 as well, the CSV too, and its record stays with its counters', async () => {
		const { apiKey } = await makeAccount(brief, 10);
		const jobId = await sourceJob(apiKey, ['jane.doe@google-catch-all.test'], brief.url);
		const { taskId } = await startedTask(apiKey, jobId, brief.url);
		await finished(apiKey, taskId, brief.url);
		await expect.poll(async () => (await taskOf(apiKey, taskId, brief.url)).resultsExpired).toBe(true);
		for (const read of [getVerdicts, getDownload]) {
			expectFailure(await read(apiKey, taskId, '', brief.url), 410, 'results_expired');
			expectFailure(await read(apiKey, taskId, '?verdict=valid', brief.url), 410, 'results_expired');
		}
		expect(await taskOf(apiKey, taskId, brief.url)).toMatchObject({
			status: 'completed',
			processedEmails: 1,
			verdictCounts: { valid: 1, invalid: 0, unknown: 0 },
			creditsUsed: 1,
		});
	});
});
