import { expect } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { expectNothingOff } from './books.ts';

/** Where a service is, and the key of an account of it. */
export interface Access {
	readonly url: string;
	readonly apiKey: string;
}

/** The data of a GET that must succeed. */
export async function read<T>({ url, apiKey }: Access, path: string): Promise<T> {
	const { status, body, text } = await call(url, apiKey, 'GET', path);
	if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
	return (body as { data: T }).data;
}

/** What jobs and tasks have in common. */
export interface State {
	readonly status: string;
	readonly totalEmails: number;
	readonly processedEmails: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
}

export interface Job extends State {
	readonly jobId: string;
	readonly creditsReserved: number;
	readonly statusCounts: Readonly<Record<string, number>>;
}

export interface Task extends State {
	readonly taskId: string;
	readonly verdictCounts: Readonly<Record<string, number>>;
}

/** Waits until a job or a task at `path` has been completed. */
export async function ended<S extends State>(access: Access, path: string, about = ''): Promise<S> {
	return eventually(async () => {
		const state = await read<S>(access, path);
		expect(state.status, `${state.processedEmails} of ${state.totalEmails} ${about}`).toBe('completed');
		return state;
	}, 300);
}

/** Creates a job or a task, which must be accepted; gives its id and the answer to the letter. */
export async function create(
	{ url, apiKey }: Access,
	path: '/v1/verify-batch' | '/v1/catchall',
	request: object,
	headers: Readonly<Record<string, string>> = {},
): Promise<{ id: string; text: string }> {
	const { status, body, text } = await call(url, apiKey, 'POST', path, request, headers);
	expect(status, text).toBe(202);
	const { data } = body as { data: { jobId?: string; taskId?: string } };
	return { id: data.jobId ?? data.taskId ?? '', text };
}

/** A bulk job over these addresses, and then a task over its catch-all rows, both completed. */
export async function jobAndTask(
	access: Access,
	emails: readonly string[],
): Promise<{ jobId: string; taskId: string }> {
	const { id: jobId } = await create(access, '/v1/verify-batch', { emails });
	await ended(access, `/v1/jobs/${jobId}`);
	const { id: taskId } = await create(access, '/v1/catchall', { jobId });
	await ended(access, `/v1/catchall/${taskId}`);
	return { jobId, taskId };
}

/** All rows of a job or a task of at most this many pages of 500. */
export async function allRows<R>(access: Access, path: string, total: number): Promise<readonly R[]> {
	const pages = Array.from({ length: Math.ceil(total / 500) }, (_, at) => at + 1);
	const read500 = async (page: number): Promise<readonly R[]> =>
		(await read<{ results: R[] }>(access, `${path}/results?limit=500&page=${page}`)).results;
	return (await Promise.all(pages.map(read500))).flat();
}

interface Row {
	readonly status: string;
	readonly details: { readonly sub_status: string };
}

/** A list of an account of its own, from its start to its end: the job, its rows, and the words that they hold. */
export async function runList(
	service: { readonly url: string; readonly token: string },
	emails: readonly string[],
	meanwhile: (access: Access, jobId: string) => Promise<void> = async () => {},
): Promise<{ job: Job; rows: readonly Row[]; told: ReadonlySet<string> }> {
	const { apiKey } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	await meanwhile(access, id);
	const job = await ended<Job>(access, `/v1/jobs/${id}`);
	const rows = await allRows<Row>(access, `/v1/jobs/${id}`, emails.length);
	await expectNothingOff(service.url);
	return { job, rows, told: new Set(rows.map(({ details }) => details.sub_status)) };
}
