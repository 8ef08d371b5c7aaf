import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { deleteResults } from '../../src/operations/jobs/manage-job.ts';
import type { JobRecord } from '../../src/operations/jobs/port.ts';
import { readRejected, readResults } from '../../src/operations/jobs/read-job.ts';
import { FINISHED, LIST, end, recordOf } from '../support/job-stories.ts';
import { mortal } from '../support/job-world.ts';
import type { JobWorld } from '../support/job-world.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Jobs that their owner ends early, and results that their owner deletes. Who dies or is overtaken: job-deaths.test.ts.

failsOnPurpose();

test('a job that its owner finishes is completed at once: answers stay and stay charged, the rest is not_asked and refunded; later it stays so', async () => {
	const { world, jobId } = await FINISHED.begin();
	await Promise.all([end(world, jobId), end(world, jobId)]);
	const job = await recordOf(world, jobId);
	expect(job).toMatchObject({
		status: 'completed',
		processed: 30,
		counts: { deliverable: 10, undeliverable: 0, risky: 0, unknown: 20, catchAll: 0 },
		creditsReserved: 0,
		creditsUsed: 10,
		creditsRefunded: 20,
	});
	FINISHED.isEnd(await world.expectExact(jobId, FINISHED.emails), 'a healthy one');
	const before = await world.stub.show();
	world.clock.now += 60_000;
	expect(await end(world, jobId)).toEqual(job);
	expect([await recordOf(world, jobId), await world.stub.show()]).toEqual([job, before]);
});

describe('results that their owner deletes', () => {
	const blobsOf = async (jobId: string): Promise<number> =>
		(await env.BLOBS.list({ prefix: `jobs/${jobId}/` })).objects.length;
	const read = (world: JobWorld, job: JobRecord) =>
		readResults(world.healthy, { job, page: 1, limit: 25, list: 'all' });
	const remove = async (world: JobWorld, jobId: string, services = world.healthy) =>
		deleteResults(
			services,
			{ accountId: world.accountId, keyId: 'key' },
			{ job: await recordOf(world, jobId) },
		);
	const gone = { code: 'results_expired', message: 'The results were deleted on request' };

	test('are gone at once, from the bucket as well, and the record stays with its counters', async () => {
		const { world } = await LIST.begin();
		const { jobId } = await world.submit(LIST.emails);
		const before = await world.finish(jobId);
		world.clock.now += 3_600_000;
		await remove(world, jobId);
		const job = await recordOf(world, jobId);
		expect(job).toEqual({ ...before, deletedAt: world.clock.now, resultsExpiresAt: world.clock.now });
		await expect(read(world, job)).rejects.toMatchObject(gone);
		await world.advance();
		expect(await blobsOf(jobId)).toBe(0);
		await remove(world, jobId);
		expect(await recordOf(world, jobId)).toEqual(job);
	});

	test('of a job that was just finished leave the bucket when no consumer can write to it any more', async () => {
		const { world, jobId } = await FINISHED.begin();
		await end(world, jobId);
		await remove(world, jobId);
		await expect(read(world, await recordOf(world, jobId))).rejects.toMatchObject(gone);
		const since = world.clock.now;
		while ((await blobsOf(jobId)) > 0) await world.advance();
		expect(world.clock.now - since).toBe(3 * 60_000);
	});

	test('of a job that failed are what was taken out of its list: it is gone at once as well', async () => {
		const { world, jobId } = await FINISHED.begin();
		await world.account.failJob({ jobId, now: world.clock.now, error: 'ours' });
		await remove(world, jobId);
		const job = await recordOf(world, jobId);
		await expect(readRejected(world.healthy, { job, page: 1, limit: 25 })).rejects.toMatchObject(gone);
	});

	test('by a process that dies right after are gone all the same', async () => {
		const { world } = await LIST.begin();
		const { jobId } = await world.submit(LIST.emails);
		await world.finish(jobId);
		const { services } = mortal(world, { call: 1, when: 'after' });
		await expect(remove(world, jobId, services)).rejects.toThrow();
		await expect(read(world, await recordOf(world, jobId))).rejects.toMatchObject(gone);
		while ((await blobsOf(jobId)) > 0) await world.advance();
	});
});
