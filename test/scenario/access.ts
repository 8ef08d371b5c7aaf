import { expect } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { balanceOf, verified } from '../contract/api.ts';
import { eventually } from '../support/patience.ts';
import { call, makeAccount } from '../support/service.ts';

/** Where a service is, and the key of an account of it. */
export interface Access {
	readonly url: string;
	readonly apiKey: string;
}

/** The same for an operator. */
interface Desk {
	readonly url: string;
	readonly token: string;
}

/** The data of a GET that must succeed. */
export async function read<T>({ url, apiKey }: Access, path: string): Promise<T> {
	const { status, body, text } = await call(url, apiKey, 'GET', path);
	if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
	return (body as { data: T }).data;
}

/** Verifies one address; throws unless the answer is a 200. */
export async function verify({ url, apiKey }: Access, address: string) {
	return (await verified(apiKey, address, url)).data;
}

export type Verification = Awaited<ReturnType<typeof verify>>;

/** The balance, which adds up. */
export const readCredits = ({ url, apiKey }: Access) => balanceOf(apiKey, url);

/** A job, as far as the scenarios look at it. */
export interface Job {
	readonly status: string;
	readonly totalEmails: number;
	readonly processedEmails: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	readonly creditsReserved: number;
	readonly statusCounts: Readonly<Record<string, number>>;
}

/** Waits until a job or a task at `path` has been completed. */
export async function ended(access: Access, path: string): Promise<Job> {
	return eventually(async () => {
		const state = await read<Job>(access, path);
		expect(state.status, `${state.processedEmails} of ${state.totalEmails}`).toBe('completed');
		return state;
	}, 300);
}

/** Creates a job or a task, which must be accepted; gives its id. */
export async function create(
	{ url, apiKey }: Access,
	path: '/v1/verify-batch' | '/v1/catchall',
	request: object,
	headers: Readonly<Record<string, string>> = {},
): Promise<string> {
	const { status, body, text } = await call(url, apiKey, 'POST', path, request, headers);
	expect(status, text).toBe(202);
	const { data } = body as { data: { jobId?: string; taskId?: string } };
	return data.jobId ?? data.taskId ?? '';
}

/** A list of an account of its own, from its start to its end: the job, its rows, and the words that they hold. */
export async function runList(
	service: Desk,
	emails: readonly string[],
	meanwhile: (access: Access, jobId: string) => Promise<void> = async () => {},
): Promise<{ job: Job; rows: readonly Verification[]; told: ReadonlySet<string> }> {
	const { apiKey, accountId } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const id = await create(access, '/v1/verify-batch', { emails });
	await meanwhile(access, id);
	const job = await ended(access, `/v1/jobs/${id}`);
	const { results } = await read<{ results: readonly Verification[] }>(
		access,
		`/v1/jobs/${id}/results?limit=500`,
	);
	expect(results).toHaveLength(emails.length);
	// Whatever happened to the service, the books add up.
	expect(await callOperator(service, 'GET', `/accounts/${accountId}`)).toMatchObject({ check: [] });
	return { job, rows: results, told: new Set(results.map(({ details }) => details.sub_status)) };
}
