import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import { success } from '../../src/http/schemas/envelope.ts';
import { whole } from '../../src/http/schemas/fields.ts';
import { job, resultsPage } from '../../src/http/schemas/job.ts';
import { task, verdictsPage } from '../../src/http/schemas/task.ts';
import { eventually } from '../support/patience.ts';
import { call } from '../support/service.ts';
import { bodyOf, ours } from './api.ts';
import type { Answer } from './api.ts';

// The endpoints of bulk jobs and of catch-all tasks as functions.

/**
 * An address whose server turns us away for as long as a small job lasts, so that job is seen running for some ten seconds.
 * Each test has its own: the server lets one in five minutes after it was first asked about.
 */
export const patient = (): string => `patient-${randomInt(1e12)}@greylist.test`;
/** Accepts everybody, a second a reply: a task is seen running for some seconds. */
export const SLOW = 'ada@slow-catch-all.test';
/** Another, since a mail host sees two connections of ours at most: those who ask for one wait for each other. */
export const SLOW_TOO = 'ada@slow-catch-all-too.test';

const cleaned = {
	acceptedEmails: whole,
	rejectedEmails: whole,
	duplicateEmails: whole,
	invalidEmails: whole,
};
const createdResponse = success(job, cleaned);
const jobResponse = success(job, {});
const resultsResponse = success(resultsPage, {});
const taskResponse = success(task, {});
const verdictsResponse = success(verdictsPage, {});

type Job = z.infer<typeof job>;
export type Task = z.infer<typeof task>;
export type Row = z.infer<typeof verdictsPage>['results'][number];
type Headers = Readonly<Record<string, string>>;

/** POST /v1/verify-batch with any body. */
export async function submit(
	apiKey: string | null,
	body: unknown,
	headers: Headers = {},
	url = ours(),
	signal?: AbortSignal,
): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/verify-batch', body, headers, signal);
}

/** POST /v1/verify-batch that must succeed. */
export async function submitted(apiKey: string, emails: readonly string[], url = ours(), more: object = {}) {
	return bodyOf(await submit(apiKey, { emails, ...more }, {}, url), createdResponse, 202);
}

/** POST /v1/catchall with any body. */
export async function startTask(apiKey: string | null, body: unknown, url = ours()): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/catchall', body);
}

/** POST /v1/catchall that must succeed. */
export async function startedTask(apiKey: string, jobId: string, url = ours()): Promise<Task> {
	return taskIn(await startTask(apiKey, { jobId }, url));
}

/** The task of a 202. */
export function taskIn(answer: Answer): Task {
	return bodyOf(answer, taskResponse, 202).data;
}

export async function getJob(apiKey: string, jobId: string, url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/jobs/${jobId}`);
}

/** Whenever it is looked at, each address that has its answer is counted once in each of these. */
function expectCounted(state: Job | Task, ...counts: readonly Readonly<Record<string, number>>[]): void {
	const { processedEmails: processed, totalEmails: total, progress } = state;
	for (const each of counts) expect(Object.values(each).reduce((sum, n) => sum + n, 0)).toBe(processed);
	expect(progress).toEqual({ total, processed, percentage: Math.floor((100 * processed) / total) });
}

/** GET /v1/jobs/:jobId that must succeed. */
export async function jobOf(apiKey: string, jobId: string, url = ours()): Promise<Job> {
	const { data } = bodyOf(await getJob(apiKey, jobId, url), jobResponse);
	const { catchAll, ...outcomes } = data.statusCounts;
	expectCounted(data, outcomes, data.actionCounts);
	expect(catchAll).toBeLessThanOrEqual(data.processedEmails);
	return data;
}

/** GET /v1/catchall/:taskId that must succeed. */
export async function taskOf(apiKey: string, taskId: string, url = ours()): Promise<Task> {
	const { data } = bodyOf(await call(url, apiKey, 'GET', `/v1/catchall/${taskId}`), taskResponse);
	expectCounted(data, data.verdictCounts);
	return data;
}

/** Waits for the end of what a look shows; gives every state that was seen on the way, whose counter never falls. */
async function untilEnded<T extends Pick<Job, 'processedEmails'> & { readonly status: string }>(
	look: () => Promise<T>,
): Promise<readonly T[]> {
	const seen: T[] = [];
	await eventually(async () => {
		const state = await look();
		seen.push(state);
		expect(state.status).toBe('completed');
	}, 100);
	const counts = seen.map(({ processedEmails }) => processedEmails);
	expect(counts).toEqual(counts.toSorted((a, b) => a - b));
	return seen;
}

/** Waits for the end of a job; gives every state that was seen on the way. */
export const completed = (apiKey: string, jobId: string, url = ours()) =>
	untilEnded(() => jobOf(apiKey, jobId, url));

/** The same of a task. */
export const finished = (apiKey: string, taskId: string, url = ours()) =>
	untilEnded(() => taskOf(apiKey, taskId, url));

/** A bulk job that has ended; gives its id. */
export async function sourceJob(apiKey: string, emails: readonly string[], url = ours()): Promise<string> {
	const { data } = await submitted(apiKey, emails, url);
	await completed(apiKey, data.jobId, url);
	return data.jobId;
}

/** A task over these addresses that has ended; gives its id. */
export async function finishedTask(apiKey: string, emails: readonly string[]): Promise<string> {
	const { taskId } = await startedTask(apiKey, await sourceJob(apiKey, emails));
	await finished(apiKey, taskId);
	return taskId;
}

export async function getResults(apiKey: string, jobId: string, query = ''): Promise<Answer> {
	return call(ours(), apiKey, 'GET', `/v1/jobs/${jobId}/results${query}`);
}

/** GET /v1/jobs/:jobId/results that must succeed. */
export async function resultsOf(apiKey: string, jobId: string, query = '') {
	return bodyOf(await getResults(apiKey, jobId, query), resultsResponse).data;
}

/** GET /v1/catchall/:taskId/results that must succeed. */
export async function verdictsOf(apiKey: string, taskId: string, query = '?limit=500') {
	const answer = await call(ours(), apiKey, 'GET', `/v1/catchall/${taskId}/results${query}`);
	return bodyOf(answer, verdictsResponse).data;
}

export async function getDownload(apiKey: string, taskId: string, query = ''): Promise<Answer> {
	return call(ours(), apiKey, 'GET', `/v1/catchall/${taskId}/download${query}`);
}

/** Everything that reads results, by the id of the job or the task; a query that it refuses. */
export const READS = [
	['job', '/v1/jobs/:id/results', '?limit=0'],
	['job', '/v1/jobs/:id/download', '?format=xls'],
	['task', '/v1/catchall/:id/results', '?verdict=x'],
	['task', '/v1/catchall/:id/download', '?verdict=x'],
] as const;

/** Reads all that there is of a job and a task. */
export async function readAll(apiKey: string, ids: Readonly<Record<'job' | 'task', string>>, url = ours()) {
	const answers = READS.map(([what, path]) =>
		call(url, apiKey, 'GET', path.replace(':id', ids[what])).then((answer) => ({ what, answer })),
	);
	return Promise.all(answers);
}

/** A domain's invented mailboxes. */
export function many(count: number): string[] {
	return Array.from({ length: count }, (_, n) => `user${n}@inbox.test`);
}
