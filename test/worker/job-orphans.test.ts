import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { removeOrphans } from '../../src/operations/jobs/remove-orphans.ts';
import { R2KeptJobs } from '../../src/storage/jobs/kept-jobs.ts';
import { emptyBucket } from '../support/damage.ts';
import { jobWorld, mortal } from '../support/job-world.ts';
import type { JobWorld } from '../support/job-world.ts';

// What is stored of a job before its account knows of it, or after its account has forgotten it, is found and removed;
// what an account answers for never is.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EMAILS = ['ada@x.test', 'bob@y.test', 'eve@z.test'];

// What fails on purpose is logged.
beforeEach(async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	await emptyBucket();
	// Of the accounts whose blobs are gone now.
	await env.DB.prepare('DELETE FROM accounts').run();
});

const makeWorld = (): Promise<JobWorld> => jobWorld(100, () => 'accepted_email');
const sweep = ({ healthy, directory }: JobWorld, most?: number) =>
	removeOrphans(
		{ ...healthy, directory, keptJobs: new R2KeptJobs(env.BLOBS) },
		most === undefined ? undefined : { most },
	);
const keysUnder = async (prefix: string): Promise<string[]> =>
	(await env.BLOBS.list({ prefix })).objects.map(({ key }) => key);

/** A list whose Worker dies once it is stored. */
async function orphan(world: JobWorld): Promise<void> {
	const { services } = mortal(world, { call: 1, when: 'after' });
	await expect(world.submit(EMAILS, services)).rejects.toThrow();
}

describe('a list whose Worker died before its account knew of it', () => {
	test('is left alone while its request may still be on its way, and then removed', async () => {
		const world = await makeWorld();
		await orphan(world);
		expect(await keysUnder('jobs/')).toHaveLength(1);
		const stored = world.clock.now;
		world.clock.now = stored + 6 * HOUR_MS - 60_000;
		expect(await sweep(world)).toEqual({ looked: 1, removed: 0 });
		world.clock.now = stored + 6 * HOUR_MS + 60_000;
		expect(await sweep(world)).toEqual({ looked: 1, removed: 1 });
		expect(await keysUnder('jobs/')).toEqual([]);
	});

	test('is left alone while its account does not answer', async () => {
		const world = await makeWorld();
		await orphan(world);
		world.clock.now += DAY_MS;
		const silent = () => ({
			...world.healthy.accounts(world.accountId),
			claimsOf: () => Promise.reject(new Error('the account is away')),
		});
		const services = { ...world.healthy, accounts: silent };
		expect(await sweep({ ...world, healthy: services })).toEqual({ looked: 1, removed: 0 });
		expect(await sweep(world)).toEqual({ looked: 1, removed: 1 });
	});

	test('is found by the daily run of the service', async () => {
		const world = await makeWorld();
		await orphan(world);
		const list = vi.spyOn(R2KeptJobs.prototype, 'list');
		const { default: worker } = await import('../../src/index.ts');
		await worker.scheduled({ cron: '30 3 * * *', scheduledTime: Date.now(), noRetry() {} }, env);
		expect(list).toHaveBeenCalled();
	});
});

describe('what an account answers for', () => {
	test('stays: of a job that runs, of one that is completed, and of one that failed, until the account is done with it', async () => {
		const world = await makeWorld();
		const { jobId: completed } = await world.submit(EMAILS);
		await world.finish(completed);
		const other = await makeWorld();
		const { jobId: running } = await other.submit(EMAILS);
		const third = await makeWorld();
		const { jobId: failed } = await third.submit(EMAILS);
		await env.BLOBS.delete(`jobs/${failed}/input`);
		await third.finish(failed);
		await env.BLOBS.put(`jobs/${failed}/parts/0.1`, 'left');
		const before = await keysUnder('jobs/');
		for (const later of [DAY_MS, 9 * DAY_MS]) {
			world.clock.now += later;
			expect(await sweep(world)).toEqual({ looked: 3, removed: 0 });
		}
		expect(await keysUnder('jobs/')).toEqual(before);
		expect((await other.finish(running)).status).toBe('completed');
		await other.expectExact(running, EMAILS);
	});

	test('is what it has not deleted: what a late consumer writes after that is removed', async () => {
		const world = await makeWorld();
		const { jobId } = await world.submit(EMAILS);
		await world.finish(jobId);
		// The alarm that deletes the results.
		await world.advance();
		await world.advance();
		expect(await keysUnder('jobs/')).toEqual([]);
		await env.BLOBS.put(`jobs/${jobId}/parts/0.2`, 'late');
		world.clock.now = Date.now() + DAY_MS;
		expect(await sweep(world)).toEqual({ looked: 1, removed: 1 });
		expect(await keysUnder('jobs/')).toEqual([]);
	});
});

describe('a list that does not say whose it is', () => {
	test("is nobody's where nobody is named, once no job can be as old", async () => {
		const world = await makeWorld();
		await env.BLOBS.put('jobs/job_nobody/input', '[]');
		const stored = Date.now();
		world.clock.now = stored + 7 * DAY_MS - HOUR_MS;
		expect(await sweep(world)).toEqual({ looked: 1, removed: 0 });
		world.clock.now = stored + 7 * DAY_MS + HOUR_MS;
		expect(await sweep(world)).toEqual({ looked: 1, removed: 1 });
	});
});

test('a run looks at so many jobs, and the next one goes on behind them, from the beginning after the last', async () => {
	const world = await makeWorld();
	const ids = ['job_a', 'job_ab', 'job_b', 'job_c', 'job_c0'];
	for (const id of ids)
		for (const name of ['input', 'facts', 'parts/0.1']) await env.BLOBS.put(`jobs/${id}/${name}`, 'x');
	await env.BLOBS.put('uploads/acc/file', 'x');
	world.clock.now = Date.now() + DAY_MS;
	expect(await sweep(world, 2)).toEqual({ looked: 2, removed: 0 });
	world.clock.now += 7 * DAY_MS;
	expect(await sweep(world, 2)).toEqual({ looked: 2, removed: 2 });
	const left = async () => new Set((await keysUnder('jobs/')).map((key) => key.split('/')[1]));
	expect(await left()).toEqual(new Set(['job_a', 'job_ab', 'job_c0']));
	expect(await sweep(world, 2)).toEqual({ looked: 1, removed: 1 });
	expect(await sweep(world, 2)).toEqual({ looked: 2, removed: 2 });
	expect(await sweep(world, 2)).toEqual({ looked: 0, removed: 0 });
	expect(await keysUnder('uploads/')).toHaveLength(1);
});
