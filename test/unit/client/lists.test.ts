import { expect, test } from 'vitest';
import { rateLimited, scripted, success } from './scripted-service.ts';
import type { Seen } from './scripted-service.ts';

const state = (status: string, processedEmails: number, more: object = {}): Response =>
	success({ jobId: 'job_1', status, processedEmails, error: null, ...more });

/** Three pages of two rows. */
function pageOf({ url }: Seen): Response {
	const page = Number(url.searchParams.get('page'));
	const results = [1, 2].map((n) => ({ email: `${2 * (page - 1) + n}@x.test` }));
	const pagination = { total: 6, page, limit: 2, pages: 3, hasNextPage: page < 3 };
	return success({ results, pagination });
}

test('for await reads every row, in pages of 500', async () => {
	const { client, seen } = scripted([pageOf, pageOf, pageOf]);
	const emails: string[] = [];
	for await (const { email } of client.jobs.results('job_1', { status: 'risky' })) emails.push(email);
	expect(emails).toEqual([1, 2, 3, 4, 5, 6].map((n) => `${n}@x.test`));
	expect(seen.map(({ url }) => url.pathname + url.search)).toEqual(
		[1, 2, 3].map((page) => `/v1/jobs/job_1/results?page=${page}&limit=500&status=risky`),
	);
});

test('whoever stops reading has asked for no further page', async () => {
	const { client, seen } = scripted([pageOf, pageOf, pageOf]);
	for await (const { email } of client.jobs.results('job_1')) if (email === '2@x.test') break;
	expect(seen).toHaveLength(1);
});

test('a page can be read alone', async () => {
	const { client } = scripted([pageOf]);
	const { rows, pagination } = await client.jobs.results('job_1', { limit: 2 }).page(3);
	expect(rows.map(({ email }) => email)).toEqual(['5@x.test', '6@x.test']);
	expect(pagination.hasNextPage).toBe(false);
});

test('an id is no path', async () => {
	const { client, seen } = scripted([state('processing', 0)]);
	await client.jobs.get('../credits?x=');
	expect(seen[0]?.url.pathname).toBe('/v1/jobs/..%2Fcredits%3Fx%3D');
});

test('waiting tells every state, and asks ever more rarely, at last every ten seconds', async () => {
	const running = Array.from({ length: 12 }, (_, n) => state('processing', n));
	const { client, seen } = scripted([...running, state('completed', 17)]);
	const told: number[] = [];
	const job = await client.jobs.wait('job_1', {
		onProgress: ({ processedEmails }) => told.push(processedEmails),
	});
	expect(job.status).toBe('completed');
	expect(told).toEqual([...running.keys(), 17]);
	const pauses = seen.map(({ at }, n) => at - (seen[n - 1]?.at ?? at)).slice(1);
	expect(pauses[0]).toBe(500);
	expect(pauses.at(-1)).toBe(10_000);
	expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
});

test('waiting goes on through a full window, however long that is', async () => {
	const { client } = scripted([state('processing', 0), rateLimited(900), state('completed', 1)]);
	expect(await client.jobs.wait('job_1')).toMatchObject({ status: 'completed' });
});

test('a job that failed is an error with its reason and its state', async () => {
	const { client } = scripted([state('failed', 3, { error: 'The list could not be read' })]);
	await expect(client.jobs.wait('job_1')).rejects.toMatchObject({
		message: 'The list could not be read',
		code: 'job_failed',
		details: { state: { processedEmails: 3 } },
	});
});

test('waiting ends with a `timeout` and the last state where it was given a time', async () => {
	const { client, seen } = scripted(Array.from({ length: 50 }, () => state('processing', 5)));
	await expect(client.jobs.wait('job_1', { withinMs: 30_000 })).rejects.toMatchObject({
		code: 'timeout',
		details: { state: { processedEmails: 5 } },
	});
	expect(seen.at(-1)?.at).toBeLessThanOrEqual(30_000);
});

test('a download is a stream, which its signal ends', async () => {
	const stop = new AbortController();
	const { client, seen } = scripted([new Response('Email,Score\r\n')]);
	const body = await client.jobs.download('job_1', { format: 'csv', signal: stop.signal });
	stop.abort();
	expect(seen[0]?.init.signal?.aborted).toBe(true);
	expect(await new Response(body).text()).toBe('Email,Score\r\n');
});
