import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { D1Directory } from '../../src/storage/directory.ts';

// What D1 lists of jobs, beside each database that this code may meet: migrations that take away are applied after it.

const BEFORE = '0001_jobs.sql';
const MIGRATION = '0003_jobs_without_names.sql';
const directory = new D1Directory(env.DB);
const job = { jobId: 'job_1', status: 'processing', createdAt: 1_000 } as const;

async function apply(name: string): Promise<void> {
	const { queries } = env.TEST_MIGRATIONS.find((one) => one.name === name)!;
	for (const query of queries) await env.DB.prepare(query).run();
}

/** An empty table, as these migrations leave it. */
async function makeTable(...migrations: readonly string[]): Promise<void> {
	await env.DB.prepare('DROP TABLE IF EXISTS jobs').run();
	for (const name of migrations) await apply(name);
}

// Other files meet the same database.
afterAll(() => makeTable(BEFORE, MIGRATION));

const listed = async () => (await env.DB.prepare('SELECT * FROM jobs ORDER BY id').all()).results;

describe.each([
	['before its columns went', []],
	['after its columns went', [MIGRATION]],
] as const)('the list of jobs %s', (_, migrations) => {
	beforeEach(() => makeTable(BEFORE, ...migrations));

	test('knows whose a job is, and which were processing when they were listed last', async () => {
		await directory.listJob('acc_1', job);
		await directory.listJob('acc_2', { ...job, jobId: 'job_2', createdAt: 2_000 });
		expect(await directory.findJobAccount('job_1')).toBe('acc_1');
		expect(await directory.findJobAccount('job_3')).toBeNull();
		expect(await directory.processingJobs(2_000, 9)).toEqual([{ jobId: 'job_1', accountId: 'acc_1' }]);
		await directory.listJob('acc_1', { ...job, status: 'completed' });
		expect(await directory.processingJobs(3_000, 9)).toEqual([{ jobId: 'job_2', accountId: 'acc_2' }]);
	});

	test('is not taken back to an earlier state by a late message', async () => {
		await directory.listJob('acc_1', { ...job, status: 'completed' });
		await directory.listJob('acc_1', job);
		expect(await directory.processingJobs(9_000, 9)).toEqual([]);
	});

	test('does not take in jobs of an account that was deleted', async () => {
		await directory.insertAccount({ id: 'acc_closed', email: '', createdAt: 1 });
		await env.DB.prepare("UPDATE accounts SET closed_at = 2 WHERE id = 'acc_closed'").run();
		await directory.listJob('acc_closed', job);
		expect(await listed()).toEqual([]);
	});
});

test('names and figures of lists leave the database, and all jobs stay listed', async () => {
	await makeTable(BEFORE);
	await env.DB.prepare(
		"INSERT INTO jobs VALUES ('job_old', 'acc_1', 'Customers of July', 'completed', 7, 1000, 2000)",
	).run();
	await directory.listJob('acc_1', job);
	await apply(MIGRATION);
	await directory.listJob('acc_1', { ...job, jobId: 'job_new' });
	expect(await listed()).toEqual([
		{ id: 'job_1', account_id: 'acc_1', status: 'processing', created_at: 1_000 },
		{ id: 'job_new', account_id: 'acc_1', status: 'processing', created_at: 1_000 },
		{ id: 'job_old', account_id: 'acc_1', status: 'completed', created_at: 1_000 },
	]);
});

test('an error that is not about the columns reaches the caller', async () => {
	await makeTable();
	await expect(directory.listJob('acc_1', job)).rejects.toThrow();
});
