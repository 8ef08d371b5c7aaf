import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { D1Directory } from '../../src/storage/accounts/directory.ts';

const directory = new D1Directory(env.DB);
const job = { jobId: 'job_1', status: 'processing', createdAt: 1_000 } as const;

const listed = async () => (await env.DB.prepare('SELECT * FROM jobs ORDER BY id').all()).results;

describe('the list of jobs', () => {
	beforeEach(() => env.DB.prepare('DELETE FROM jobs').run());

	test('knows whose a job is, and is not taken back to an earlier state by a late message', async () => {
		await directory.listJob('acc_1', job);
		expect(await directory.findJobAccount('job_1')).toBe('acc_1');
		expect(await directory.findJobAccount('job_3')).toBeNull();
		await directory.listJob('acc_1', { ...job, status: 'completed' });
		await directory.listJob('acc_1', job);
		expect(await listed()).toMatchObject([{ id: 'job_1', status: 'completed' }]);
	});
});
