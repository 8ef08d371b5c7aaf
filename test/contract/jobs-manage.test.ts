import { describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { scoreWithin } from '../../src/core/verification/sub-status.ts';
import { jobsPage, rejectedPage } from '../../src/http/schemas/job.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { tasksPage } from '../../src/http/schemas/task.ts';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, bodyOf, expectFailure, expectNotReady, rateLimitOf } from './api.ts';
import type { Answer } from './api.ts';
import { finished, finishedTask, sourceJob, startTask, startedTask, taskIn } from './catchall-api.ts';
import { PATIENT, completed, getResults, jobOf, resultsOf, submit, submitted } from './jobs-api.ts';

// What clients do with their jobs beside the specification: list, download, look at what was rejected, finish, delete.

const service = inject('service');

async function get<S extends z.ZodType>(apiKey: string, path: string, schema: S): Promise<z.output<S>> {
	return bodyOf(await call(service.url, apiKey, 'GET', path), schema);
}

const listed = async (apiKey: string, query = '') =>
	(await get(apiKey, `/v1/jobs${query}`, success(jobsPage, {}))).data;
const download = (apiKey: string, jobId: string, query = ''): Promise<Answer> =>
	call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/download${query}`);
const rejectedOf = async (apiKey: string, jobId: string, query = '') =>
	(await get(apiKey, `/v1/jobs/${jobId}/rejected${query}`, success(rejectedPage, {}))).data;
const finish = (apiKey: string, jobId: string): Promise<Answer> =>
	call(service.url, apiKey, 'POST', `/v1/jobs/${jobId}/finish`);
const remove = (apiKey: string, jobId: string): Promise<Answer> =>
	call(service.url, apiKey, 'DELETE', `/v1/jobs/${jobId}`);

describe('the list of jobs', () => {
	test('has them newest first, in pages, as each is by itself, and filters by status', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const ids: string[] = [];
		for (const emails of [['ada@inbox.test'], ['bob@inbox.test'], [PATIENT]])
			ids.unshift((await submitted(apiKey, emails)).data.jobId);
		for (const jobId of ids.slice(1)) await completed(apiKey, jobId);
		const { jobs, pagination } = await listed(apiKey, '?page=1&limit=2');
		expect(jobs.map(({ jobId }) => jobId)).toEqual(ids.slice(0, 2));
		expect(pagination).toEqual({ total: 3, page: 1, limit: 2, pages: 2, hasNextPage: true });
		expect(jobs[1]).toEqual(await jobOf(apiKey, ids[1] ?? ''));
		expect((await listed(apiKey, '?page=2&limit=2')).jobs.map(({ jobId }) => jobId)).toEqual(ids.slice(2));
		const done = await listed(apiKey, '?status=completed');
		expect([done.jobs.map(({ jobId }) => jobId), done.pagination.total]).toEqual([ids.slice(1), 2]);
		expect((await listed(apiKey, '?status=failed')).jobs).toEqual([]);
	});

	test('has those of the account alone, counts as default, and refuses what it does not know', async () => {
		const [one, other] = [await makeAccount(service, 2), await makeAccount(service, 2)];
		await submitted(one.apiKey, ['ada@inbox.test']);
		expect((await listed(other.apiKey)).jobs).toEqual([]);
		const answer = await call(service.url, one.apiKey, 'GET', '/v1/jobs?unknown=1');
		expect(rateLimitOf(answer).limit).toBe(300);
		for (const query of ['?status=done', '?page=0', '?limit=501'])
			expectFailure(await call(service.url, one.apiKey, 'GET', `/v1/jobs${query}`), 400, 'invalid_parameter');
	});
});

describe('what was taken out of a list', () => {
	const emails = [
		'ada@inbox.test',
		'nobody',
		' ADA@inbox.test',
		'',
		'bob@b\u00fccher.example',
		'bob@xn--bcher-kva.example',
	];
	const all = [
		{ index: 1, value: 'nobody', reason: 'malformed', duplicateOf: null },
		{ index: 2, value: ' ADA@inbox.test', reason: 'duplicate', duplicateOf: 0 },
		{ index: 3, value: '', reason: 'malformed', duplicateOf: null },
		{ index: 5, value: 'bob@xn--bcher-kva.example', reason: 'duplicate', duplicateOf: 4 },
	];

	test('is told from the beginning, in its order and in pages, and as often as the job counts', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const { data } = await submitted(apiKey, emails);
		expect(data).toMatchObject({ duplicateEmails: 2, invalidEmails: 2, acceptedEmails: 2 });
		const { rejected, pagination } = await rejectedOf(apiKey, data.jobId);
		expect([rejected, pagination.total]).toEqual([all, 4]);
		const second = await rejectedOf(apiKey, data.jobId, '?page=2&limit=3');
		expect([second.rejected, second.pagination.hasNextPage]).toEqual([all.slice(3), false]);
		expect((await rejectedOf(apiKey, data.jobId, '?page=9')).rejected).toEqual([]);
		const path = `/v1/jobs/${data.jobId}/rejected?page=0`;
		expectFailure(await call(service.url, apiKey, 'GET', path), 400, 'invalid_parameter');
	});
});

describe('a download', () => {
	const emails = ['ada@inbox.test', '=cmd@inbox.test', '+491701234567@inbox.test', 'ada@nxdomain.test'];

	test('is every row in the order sent: as CSV, formulas neutralised, and as lines of JSON like the results', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const { data } = await submitted(apiKey, emails);
		await completed(apiKey, data.jobId);
		const csv = await download(apiKey, data.jobId);
		expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
		expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${data.jobId}-results.csv"`);
		const lines = csv.text.split('\r\n');
		expect(lines[0]).toMatch(
			/^email,status,sub_status,score,.*,catch_all_score,catch_all_verdict,privacy_relay,gibberish,canonical_email,action,index$/,
		);
		// A reason may hold a comma, so the last two cells are counted from the end.
		const cells = lines.slice(1, -1).map((line) => line.split(','));
		expect(cells.map((row) => [row[0], ...row.slice(-2)])).toEqual([
			['ada@inbox.test', 'send', '0'],
			["'=cmd@inbox.test", 'drop', '1'],
			["'+491701234567@inbox.test", 'drop', '2'],
			['ada@nxdomain.test', 'drop', '3'],
		]);
		const { results } = await resultsOf(apiKey, data.jobId, '?limit=500');
		const json = await download(apiKey, data.jobId, '?format=jsonl');
		expect(json.headers.get('content-type')).toBe('application/x-ndjson');
		expect(
			json.text
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line) as unknown),
		).toEqual(results);
		const bad = await download(apiKey, data.jobId, '?format=jsonl&status=undeliverable');
		expect(
			bad.text
				.trimEnd()
				.split('\n')
				.map((line) => (JSON.parse(line) as { email: string }).email),
		).toEqual(results.filter(({ status }) => status === 'undeliverable').map(({ email }) => email));
	});

	test('of what is not ready, not known or not asked for rightly is refused', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const { data } = await submitted(apiKey, [PATIENT]);
		expectNotReady(await download(apiKey, data.jobId), 'processing');
		expectFailure(await download(apiKey, 'job_none'), 404, 'job_not_found');
		expectFailure(await download(apiKey, data.jobId, '?format=xls'), 400, 'invalid_parameter');
		expectFailure(await download(apiKey, data.jobId, '?status=valid'), 400, 'invalid_parameter');
	});
});

describe('the verdicts of a completed task', () => {
	const emails = [
		'ada@inbox.test',
		'jane.doe@google-catch-all.test',
		'ada@parked.test',
		'ada@catch-all.test',
	];

	test('stand in the rows and downloads of its job, beside what was charged for', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const jobId = await sourceJob(apiKey, emails);
		const before = await resultsOf(apiKey, jobId);
		for (const row of before.results) expect(row).not.toHaveProperty('catch_all_score');
		const { taskId } = await startedTask(apiKey, jobId);
		await finished(apiKey, taskId);
		const { results } = await resultsOf(apiKey, jobId);
		expect(results.map(({ status, catch_all_verdict: verdict }) => [status, verdict])).toEqual([
			['deliverable', undefined],
			['risky', 'valid'],
			['risky', 'invalid'],
			['risky', 'unknown'],
		]);
		for (const [at, row] of before.results.entries()) {
			// The score follows the task's, as far as the status lets it.
			const { catch_all_score: score = row.deliverability_score } = results[at] ?? {};
			const settled = { ...row, deliverability_score: scoreWithin(row.status, score) };
			expect(results[at]).toMatchObject(settled);
		}
		const filtered = await resultsOf(apiKey, jobId, '?status=catch_all&limit=2&page=2');
		expect(filtered.results).toEqual(results.slice(3));
		const { text } = await download(apiKey, jobId, '?status=risky');
		const [header = [], ...rows] = text
			.trimEnd()
			.split('\r\n')
			.map((line) => line.split(','));
		// A reason may contain commas, so the column is counted from the end.
		const verdictAt = header.indexOf('catch_all_verdict') - header.length;
		expect(rows.map((row) => row.at(verdictAt))).toEqual(['valid', 'invalid', 'unknown']);
	});

	test('belong to the task before while another one runs, whose answer names that one', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const jobId = await sourceJob(apiKey, ['ada@parked.test']);
		const first = await startTask(apiKey, { jobId });
		expect(first.body).toMatchObject({ meta: { previousTaskId: null } });
		const { taskId } = taskIn(first);
		await finished(apiKey, taskId);
		const second = await startTask(apiKey, { jobId });
		expect(second.body).toMatchObject({ meta: { previousTaskId: taskId } });
		expect((await resultsOf(apiKey, jobId)).results[0]).toMatchObject({ catch_all_verdict: 'invalid' });
		await finished(apiKey, taskIn(second).taskId);
		expect((await resultsOf(apiKey, jobId)).results[0]).toMatchObject({ catch_all_verdict: 'invalid' });
	});
});

test('tasks are listed newest first, without jobs', async () => {
	const { apiKey } = await makeAccount(service, 20);
	const ids = [
		await finishedTask(apiKey, ['ada@parked.test']),
		await finishedTask(apiKey, ['ada@inbox.test']),
	];
	const { data } = await get(apiKey, '/v1/catchall?limit=1', success(tasksPage, {}));
	expect(data.tasks.map(({ taskId }) => taskId)).toEqual([ids[1]]);
	expect(data.pagination).toMatchObject({ total: 2, pages: 2 });
	expectFailure(await call(service.url, apiKey, 'GET', '/v1/catchall?page=x'), 400, 'invalid_parameter');
});

describe('a job that is finished early', () => {
	test('is completed: what was not answered is unknown, not asked, and refunded', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const { data } = await submitted(apiKey, [PATIENT, 'ada@tarpit.test']);
		const answer = await finish(apiKey, data.jobId);
		expect([answer.status, answer.body], answer.text).toMatchObject([
			200,
			{ data: { status: 'completed', processedEmails: 2, creditsReserved: 0 } },
		]);
		const { results } = await resultsOf(apiKey, data.jobId);
		expect(results.map(({ status, details }) => [status, details.sub_status])).toContainEqual([
			'unknown',
			'not_asked',
		]);
		const balance = await balanceOf(apiKey);
		expect(balance).toMatchObject({ reservedCredits: 0 });
		const again = await finish(apiKey, data.jobId);
		expect([again.status, (again.body as { data: unknown }).data]).toEqual([
			200,
			(answer.body as { data: unknown }).data,
		]);
		expect(await balanceOf(apiKey)).toEqual(balance);
		expectFailure(await finish(apiKey, 'job_none'), 404, 'job_not_found');
	});
});

describe('a job that is deleted', () => {
	test('has no results from then on, and keeps its counters; a repetition is as good', async () => {
		const { apiKey } = await makeAccount(service, 10);
		const { data } = await submitted(apiKey, ['ada@inbox.test', 'nobody']);
		await completed(apiKey, data.jobId);
		for (const answer of [await remove(apiKey, data.jobId), await remove(apiKey, data.jobId)])
			expect([answer.status, answer.text, answer.headers.get('ratelimit-limit')]).toEqual([204, '', '300']);
		expectFailure(await getResults(apiKey, data.jobId), 410, 'results_expired');
		expectFailure(await download(apiKey, data.jobId), 410, 'results_expired');
		const rejected = await call(service.url, apiKey, 'GET', `/v1/jobs/${data.jobId}/rejected`);
		expectFailure(rejected, 410, 'results_expired');
		expectFailure(await startTask(apiKey, { jobId: data.jobId }), 410, 'results_expired');
		expect(await jobOf(apiKey, data.jobId)).toMatchObject({ processedEmails: 1, resultsExpired: true });
	});

	test('while it runs is a 409, and for another account a 404', async () => {
		const [one, other] = [await makeAccount(service, 2), await makeAccount(service, 2)];
		const answer = await submit(one.apiKey, { emails: [PATIENT] });
		const { jobId } = (answer.body as { data: { jobId: string } }).data;
		expectNotReady(await remove(one.apiKey, jobId), 'processing');
		expectFailure(await remove(other.apiKey, jobId), 404, 'job_not_found');
		await finish(one.apiKey, jobId);
		expect((await remove(one.apiKey, jobId)).status).toBe(204);
	});
});
