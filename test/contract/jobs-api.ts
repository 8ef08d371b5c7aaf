import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import { whole } from '../../src/http/schemas/fields.ts';
import { job } from '../../src/http/schemas/job.ts';
import { resultsPage } from '../../src/http/schemas/job.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { call } from '../support/service.ts';
import { bodyOf, ours } from './api.ts';
import type { Answer } from './api.ts';
import { eventually } from '../support/patience.ts';

// The endpoints of bulk jobs as functions.

/**
 * Turns us away for as long as a small job lasts, so that job is seen running for some ten seconds. An address of each
 * file's own: the server lets one in five minutes after it was first asked about, and all tests together take longer.
 */
export const PATIENT = `patient-${randomInt(1e12)}@greylist.test`;

const createdResponse = success(job, {
	acceptedEmails: whole,
	rejectedEmails: whole,
	duplicateEmails: whole,
	invalidEmails: whole,
});
const jobResponse = success(job, {});
const resultsResponse = success(resultsPage, {});

export type Job = z.infer<typeof job>;
type Page = z.infer<typeof resultsPage>;

/** POST /v1/verify-batch with any body. */
export async function submit(
	apiKey: string | null,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
	url = ours(),
	signal?: AbortSignal,
): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/verify-batch', body, headers, signal);
}

/** POST /v1/verify-batch that must succeed. */
export async function submitted(apiKey: string, emails: readonly string[], url = ours()) {
	return bodyOf(await submit(apiKey, { emails }, {}, url), createdResponse, 202);
}

export async function getJob(apiKey: string, jobId: string, url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/jobs/${jobId}`);
}

/** GET /v1/jobs/:jobId that must succeed. */
export async function jobOf(apiKey: string, jobId: string, url = ours()): Promise<Job> {
	return bodyOf(await getJob(apiKey, jobId, url), jobResponse).data;
}

/** Waits for the end of a job; gives every state that was seen on the way. */
export async function completed(apiKey: string, jobId: string, url = ours()): Promise<readonly Job[]> {
	const seen: Job[] = [];
	await eventually(async () => {
		const state = await jobOf(apiKey, jobId, url);
		seen.push(state);
		expect(state.status).toBe('completed');
	}, 100);
	return seen;
}

export async function getResults(apiKey: string, jobId: string, query = '', url = ours()): Promise<Answer> {
	return call(url, apiKey, 'GET', `/v1/jobs/${jobId}/results${query}`);
}

/** GET /v1/jobs/:jobId/results that must succeed. */
export async function resultsOf(apiKey: string, jobId: string, query = ''): Promise<Page> {
	return bodyOf(await getResults(apiKey, jobId, query), resultsResponse).data;
}

/** A domain's invented mailboxes. */
export function many(count: number): string[] {
	return Array.from({ length: count }, (_, n) => `user${n}@inbox.test`);
}
