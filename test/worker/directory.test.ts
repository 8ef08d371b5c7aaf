import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { D1Directory } from '../../src/storage/accounts/directory.ts';

const directory = new D1Directory(env.DB);
const job = { jobId: 'job_1', createdAt: 1_000 } as const;

describe('the list of jobs', () => {
	beforeEach(() => env.DB.prepare('DELETE FROM jobs').run());

	test('knows whose a job is, also where it is told twice', async () => {
		await directory.listJob('acc_1', job);
		await directory.listJob('acc_1', job);
		expect(await directory.findJobAccount('job_1')).toBe('acc_1');
		expect(await directory.findJobAccount('job_3')).toBeNull();
	});
});
