import { expect, test } from 'vitest';
import { newTester } from './program.ts';

// The client against the real service. What it makes of errors and signals: test/unit/client/calls.test.ts.

const at = (word: string): string => `${word}@test.mailsonar.example`;

test('a list is listed, says what was taken out, comes as a stream, and can be deleted', async () => {
	const { client } = await newTester();
	const emails = [at('deliverable'), at('DELIVERABLE'), 'nobody', at('undeliverable')];
	const { jobId } = await client.verifyBatch(emails, { name: 'July list' });
	await client.jobs.wait(jobId, { pollMs: 500 });
	expect((await client.jobs.list({ status: 'completed' }).toArray()).map((job) => job.jobId)).toEqual([
		jobId,
	]);
	const found: string[] = [];
	for await (const { email } of client.jobs.results(jobId, { limit: 1 })) found.push(email);
	expect(found).toEqual([at('deliverable'), at('undeliverable')]);
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
