import { expect } from 'vitest';
import type { z } from 'zod';
import { success } from '../../src/http/schemas/envelope.ts';
import { task, verdictsPage } from '../../src/http/schemas/task.ts';
import { call } from '../support/service.ts';
import { bodyOf, ours } from './api.ts';
import type { Answer } from './api.ts';
import { completed, submitted } from './jobs-api.ts';
import { eventually } from '../support/patience.ts';

// The endpoints of catch-all tasks as functions.

/** Accepts everybody, a second a reply: a task is seen running for some seconds. */
export const SLOW = 'ada@slow-catch-all.test';
/** Another, since a mail host sees two connections of ours at most: those who ask for one wait for each other. */
export const SLOW_TOO = 'ada@slow-catch-all-too.test';

const taskResponse = success(task, {});
const pageResponse = success(verdictsPage, {});

export type Task = z.infer<typeof task>;
type Page = z.infer<typeof verdictsPage>;
export type Row = Page['results'][number];

/** A bulk job that has ended; gives its id. */
export async function sourceJob(apiKey: string, emails: readonly string[], url = ours()): Promise<string> {
	const { data } = await submitted(apiKey, emails, url);
	await completed(apiKey, data.jobId, url);
	return data.jobId;
}

/** POST /v1/catchall with any body. */
export async function startTask(
	apiKey: string | null,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
	url = ours(),
): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/catchall', body, headers);
}

/** POST /v1/catchall that must succeed. */
export async function startedTask(apiKey: string, jobId: string, url = ours()): Promise<Task> {
	return taskIn(await startTask(apiKey, { jobId }, {}, url));
}

/** The task of a 202. */
export function taskIn(answer: Answer): Task {
	return bodyOf(answer, taskResponse, 202).data;
}

export async function getTask(apiKey: string, taskId: string, url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/catchall/${taskId}`);
}

/** GET /v1/catchall/:taskId that must succeed. */
export async function taskOf(apiKey: string, taskId: string, url = ours()): Promise<Task> {
	return bodyOf(await getTask(apiKey, taskId, url), taskResponse).data;
}

/** Waits for the end of a task; gives every state that was seen on the way. */
export async function finished(apiKey: string, taskId: string, url = ours()): Promise<readonly Task[]> {
	const seen: Task[] = [];
	await eventually(async () => {
		const state = await taskOf(apiKey, taskId, url);
		seen.push(state);
		expect(state.status).toBe('completed');
	}, 100);
	return seen;
}

/** A task over these addresses that has ended; gives its id. */
export async function finishedTask(apiKey: string, emails: readonly string[], url = ours()): Promise<string> {
	const { taskId } = await startedTask(apiKey, await sourceJob(apiKey, emails, url), url);
	await finished(apiKey, taskId, url);
	return taskId;
}

async function getVerdicts(apiKey: string, taskId: string, query = '', url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/catchall/${taskId}/results${query}`);
}

/** GET /v1/catchall/:taskId/results that must succeed. */
export async function verdictsOf(
	apiKey: string,
	taskId: string,
	query = '?limit=500',
	url = ours(),
): Promise<Page> {
	return bodyOf(await getVerdicts(apiKey, taskId, query, url), pageResponse).data;
}

export async function getDownload(apiKey: string, taskId: string, query = '', url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/catchall/${taskId}/download${query}`);
}
