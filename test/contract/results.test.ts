import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { jobsPage, rejectedPage } from '../../src/http/schemas/job.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { tasksPage } from '../../src/http/schemas/task.ts';
import { call, makeAccount } from '../support/service.ts';
import { bodyOf, expectFailure, expectNotReady } from './api.ts';
import type { Answer } from './api.ts';
import {
	READS,
	SLOW,
	completed,
	jobOf,
	patient,
	readAll,
	resultsOf,
	sourceJob,
	startTask,
	startedTask,
	submitted,
} from './jobs-api.ts';

// What clients read of their jobs and tasks, and what is gone. Verdicts: catchall.test.ts; what ends early: list-report.test.ts.

const service = inject('service');

async function get<S extends z.ZodType>(apiKey: string, path: string, schema: S): Promise<z.output<S>> {
	return bodyOf(await call(service.url, apiKey, 'GET', path), schema);
}

const listed = async (apiKey: string, query = '') =>
	(await get(apiKey, `/v1/jobs${query}`, success(jobsPage, {}))).data;
const rejectedOf = async (apiKey: string, jobId: string, query = '') =>
	(await get(apiKey, `/v1/jobs/${jobId}/rejected${query}`, success(rejectedPage, {}))).data;
const download = (apiKey: string, jobId: string, query = ''): Promise<Answer> =>
	call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/download${query}`);
const remove = (apiKey: string, jobId: string): Promise<Answer> =>
	call(service.url, apiKey, 'DELETE', `/v1/jobs/${jobId}`);

test('the list of jobs, and that of tasks have them newest first, in pages, as each is by itself, and filter by status', async () => {
	const { apiKey } = await makeAccount(service, 10);
	const ids: string[] = [];
	for (const emails of [['ada@inbox.test'], ['bob@inbox.test'], [patient()]])
		ids.unshift((await submitted(apiKey, emails)).data.jobId);
	for (const jobId of ids.slice(1)) await completed(apiKey, jobId);
	const { jobs, pagination } = await listed(apiKey, '?page=1&limit=2');
	expect(jobs.map(({ jobId }) => jobId)).toEqual(ids.slice(0, 2));
	expect(pagination).toEqual({ total: 3, page: 1, limit: 2, pages: 2, hasNextPage: true });
	expect(jobs[1]).toEqual(await jobOf(apiKey, ids[1] ?? ''));
	const done = await listed(apiKey, '?status=completed');
	expect([done.jobs.map(({ jobId }) => jobId), done.pagination.total]).toEqual([ids.slice(1), 2]);
	expect((await listed(apiKey, '?status=failed')).jobs).toEqual([]);
	const tasks = [];
	for (const jobId of ids.slice(1)) tasks.unshift((await startedTask(apiKey, jobId)).taskId);
	const { data } = await get(apiKey, '/v1/catchall?limit=1', success(tasksPage, {}));
	expect(data.tasks.map(({ taskId }) => taskId)).toEqual(tasks.slice(0, 1));
	expect(data.pagination).toMatchObject({ total: 2, pages: 2 });
	const other = await makeAccount(service, 2);
	expect((await listed(other.apiKey)).jobs).toEqual([]);
});

describe('the results of a job', () => {
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
		const before = ['ada@catch-all.test', 'ada@full.test', 'Ada@Inbox.test'];
		({ jobId } = (await submitted(apiKey, [...before, ...list, '=1@refused.test', 'ADA@inbox.TEST'])).data);
		await completed(apiKey, jobId);
	});

	test('are in the order of the first occurrences, with the first spelling; in pages they are the whole list', async () => {
		const whole = await resultsOf(apiKey, jobId, '?limit=500');
		expect(whole.results.map(({ email }) => email)).toEqual([
			...['ada@catch-all.test', 'ada@full.test', 'Ada@inbox.test', ...list],
			'=1@refused.test',
		]);
		// 25 a page unless told otherwise, and a page past the end is empty. Other sizes: test/unit/jobs/pages.test.ts.
		const rows: unknown[] = [];
		for (const page of [1, 2, 3, 999_999_999]) {
			const { results, pagination } = await resultsOf(apiKey, jobId, `?page=${page}`);
			expect(pagination).toEqual({ total: 64, page, limit: 25, pages: 3, hasNextPage: page < 3 });
			rows.push(...results);
		}
		expect(rows).toEqual(whole.results);
	});

	test('are downloaded whole in their order: as CSV, formulas neutralised, and as lines of JSON like the pages', async () => {
		const { results } = await resultsOf(apiKey, jobId, '?limit=500');
		const csv = await download(apiKey, jobId);
		expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
		expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${jobId}-results.csv"`);
		const [head = '', ...lines] = csv.text.split('\r\n').slice(0, -1);
		expect(head).toMatch(
			/^email,status,sub_status,score,.*,catch_all_score,catch_all_verdict,privacy_relay,gibberish,canonical_email,action,index$/,
		);
		// A reason may hold a comma, so the last two cells are counted from the end.
		const cells = lines.map((line) => line.split(','));
		expect(cells.map((row) => [row[0], row[1], ...row.slice(-2)])).toEqual(
			results.map(({ email, status, action }, n) => [email.replace(/^=/, "'="), status, action, String(n)]),
		);
		const rowsOf = async (query: string): Promise<unknown[]> => {
			const { text, headers } = await download(apiKey, jobId, query);
			expect(headers.get('content-type')).toBe('application/x-ndjson');
			return text
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line) as unknown);
		};
		expect(await rowsOf('?format=jsonl')).toEqual(results);
		expect(await rowsOf('?format=jsonl&status=undeliverable')).toEqual(
			results.filter(({ status }) => status === 'undeliverable'),
		);
		expectFailure(await download(apiKey, jobId, '?status=valid'), 400, 'invalid_parameter');
	});
});

test('what was taken out of a list is told from the beginning, in its order and in pages', async () => {
	const emails = ['ada@inbox.test', 'nobody', ' ADA@inbox.test', '', 'bob@b\u00fccher.example'];
	const all = [
		{ index: 1, value: 'nobody', reason: 'malformed', duplicateOf: null },
		{ index: 2, value: ' ADA@inbox.test', reason: 'duplicate', duplicateOf: 0 },
		{ index: 3, value: '', reason: 'malformed', duplicateOf: null },
		{ index: 5, value: 'bob@xn--bcher-kva.example', reason: 'duplicate', duplicateOf: 4 },
	];
	const { apiKey } = await makeAccount(service, 5);
	const { data } = await submitted(apiKey, [...emails, 'bob@xn--bcher-kva.example']);
	const { rejected, pagination } = await rejectedOf(apiKey, data.jobId);
	expect([rejected, pagination.total]).toEqual([all, 4]);
	const second = await rejectedOf(apiKey, data.jobId, '?page=2&limit=3');
	expect([second.rejected, second.pagination.hasNextPage]).toEqual([all.slice(3), false]);
});

describe('results that are not there', () => {
	test('yet are a 409 with the status; a wrong query is told first, and no task is made of them', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const task = (await startedTask(apiKey, await sourceJob(apiKey, [SLOW]))).taskId;
		const job = (await submitted(apiKey, [patient()])).data.jobId;
		for (const { what, answer } of await readAll(apiKey, { job, task }))
			expect(expectNotReady(answer, 'processing', what)).toMatch(/processing/);
		for (const [what, path, query] of READS) {
			const wrong = path.replace(':id', { job, task }[what]) + query;
			expectFailure(await call(service.url, apiKey, 'GET', wrong), 400, 'invalid_parameter');
		}
		expectNotReady(await startTask(apiKey, { jobId: job }), 'processing');
		expectNotReady(await remove(apiKey, job), 'processing');
	});

	// Any more, since their time is over: upstream.test.ts.
	test('since their job was deleted are a 410 too; a repetition is as good, and another account may not', async () => {
		const [{ apiKey }, other] = [await makeAccount(service, 10), await makeAccount(service, 2)];
		const { data } = await submitted(apiKey, ['ada@inbox.test', 'nobody']);
		await completed(apiKey, data.jobId);
		expectFailure(await remove(other.apiKey, data.jobId), 404, 'job_not_found');
		for (const answer of [await remove(apiKey, data.jobId), await remove(apiKey, data.jobId)])
			expect([answer.status, answer.text]).toEqual([204, '']);
		for (const path of ['results', 'download', 'rejected'])
			expectFailure(
				await call(service.url, apiKey, 'GET', `/v1/jobs/${data.jobId}/${path}`),
				410,
				'results_expired',
			);
		expectFailure(await startTask(apiKey, { jobId: data.jobId }), 410, 'results_expired');
		expect(await jobOf(apiKey, data.jobId)).toMatchObject({ processedEmails: 1, resultsExpired: true });
	});
});
