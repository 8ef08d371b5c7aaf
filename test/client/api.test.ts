import { describe, expect, test } from 'vitest';
import { PATIENT } from '../contract/jobs-api.ts';
import { newCustomer, newTester } from './program.ts';

// The client against the real service: with live keys in the sandbox, and with test keys.

const at = (word: string): string => `${word}@test.mailsonar.example`;

describe('a list', () => {
	test('is started, waited for with its progress, and read row by row', async () => {
		const { client } = await newCustomer();
		const emails = Array.from({ length: 30 }, (_, n) => `user${n}@inbox.test`);
		const job = await client.verifyBatch([...emails, 'USER0@inbox.test', 'nobody'], { name: 'July list' });
		expect(job).toMatchObject({ name: 'July list', meta: { acceptedEmails: 30, rejectedEmails: 2 } });
		const seen: number[] = [];
		const done = await client.jobs.wait(job.jobId, {
			onProgress: ({ processedEmails }) => seen.push(processedEmails),
			pollMs: 500,
		});
		expect(done).toMatchObject({ status: 'completed', processedEmails: 30 });
		expect(seen.at(-1)).toBe(30);
		expect(seen).toEqual(seen.toSorted((a, b) => a - b));
		const found: string[] = [];
		for await (const { email } of client.jobs.results(job.jobId, { limit: 7 })) found.push(email);
		expect(found).toEqual(emails);
	});

	test('that is not completed has no rows yet, and whoever waits for it can leave at any time', async () => {
		const { client } = await newCustomer();
		const { jobId } = await client.verifyBatch([PATIENT]);
		await expect(client.jobs.results(jobId).page(1)).rejects.toMatchObject({
			code: 'job_not_completed',
			status: 409,
			details: { status: 'processing' },
		});
		const stop = new AbortController();
		const leave = (): void => stop.abort(new Error('enough'));
		await expect(client.jobs.wait(jobId, { signal: stop.signal, onProgress: leave })).rejects.toThrow(
			'enough',
		);
	});

	test('is listed, says what was taken out, comes as a stream, and can be deleted', async () => {
		const { client } = await newTester();
		const emails = [at('deliverable'), at('DELIVERABLE'), 'nobody', at('undeliverable')];
		const { jobId } = await client.verifyBatch(emails, { name: 'July list' });
		await client.jobs.wait(jobId, { pollMs: 500 });
		expect((await client.jobs.list({ status: 'completed' }).toArray()).map((job) => job.jobId)).toEqual([
			jobId,
		]);
		const rejected = await client.jobs.rejected(jobId).toArray();
		expect(rejected.map(({ index, reason }) => [index, reason])).toEqual([
			[1, 'duplicate'],
			[2, 'malformed'],
		]);
		const options = { format: 'jsonl', status: 'undeliverable' } as const;
		const rows = await new Response(await client.jobs.download(jobId, options)).text();
		expect(JSON.parse(rows)).toMatchObject({ email: at('undeliverable'), status: 'undeliverable' });
		await client.jobs.delete(jobId);
		await expect(client.jobs.results(jobId).page(1)).rejects.toMatchObject({
			code: 'results_expired',
			status: 410,
		});
	});
});

test('catch-all rows are verified more deeply, read, and downloaded', async () => {
	const { client } = await newTester();
	const { jobId } = await client.verifyBatch(['valid', 'invalid', 'deliverable'].map(at));
	await client.jobs.wait(jobId, { pollMs: 500 });
	const { taskId } = await client.catchall.start(jobId);
	const task = await client.catchall.wait(taskId, { pollMs: 500 });
	expect(task).toMatchObject({ totalEmails: 2, verdictCounts: { valid: 1, invalid: 1, unknown: 0 } });
	const rows = await client.catchall.results(taskId, { verdict: 'valid' }).toArray();
	expect(rows.map(({ email, verdict }) => [email, verdict])).toEqual([[at('valid'), 'valid']]);
	const csv = await new Response(await client.catchall.download(taskId)).text();
	expect(csv.split('\r\n').slice(0, 2)).toEqual([
		'Email,Score,Verdict',
		expect.stringContaining(at('valid')),
	]);
});
