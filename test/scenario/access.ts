import { expect } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { verified } from '../contract/api.ts';
import { completed } from '../contract/jobs-api.ts';
import { call, makeAccount } from '../support/service.ts';

/** Where a service is, and the key of an account of it. */
export interface Access {
	readonly url: string;
	readonly apiKey: string;
}

/** Verifies one address; throws unless the answer is a 200. */
export async function verify({ url, apiKey }: Access, address: string) {
	return (await verified(apiKey, address, url)).data;
}

export type Verification = Awaited<ReturnType<typeof verify>>;

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
	service: Parameters<typeof makeAccount>[0],
	emails: readonly string[],
	meanwhile: (access: Access, jobId: string) => Promise<void> = async () => {},
) {
	const { apiKey, accountId } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const id = await create(access, '/v1/verify-batch', { emails });
	await meanwhile(access, id);
	const job = (await completed(apiKey, id, service.url)).at(-1)!;
	const { body } = await call(service.url, apiKey, 'GET', `/v1/jobs/${id}/results?limit=500`);
	const { results: rows } = (body as { data: { results: readonly Verification[] } }).data;
	expect(rows).toHaveLength(emails.length);
	// Whatever happened to the service, the books add up.
	expect(await callOperator(service, 'GET', `/accounts/${accountId}`)).toMatchObject({ check: [] });
	return { job, rows, told: new Set<string>(rows.map(({ details }) => details.sub_status)) };
}
