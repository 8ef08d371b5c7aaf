import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteResults, finishJob } from '../../src/operations/jobs/manage-job.ts';
import type { JobRecord } from '../../src/operations/jobs/port.ts';
import { readResults } from '../../src/operations/jobs/read-job.ts';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { callsOf, everyDeath, survive } from '../support/deaths.ts';
import type { Life } from '../support/deaths.ts';
import { jobWorld, mortal } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';

// Jobs that their owner ends early, and results that their owner deletes.

// Three parts: one is done at once, one waits for a greylisting server, one is not asked when the job is ended.
const EMAILS = ['calm.test', 'greylisting.test', 'mixed.test'].flatMap((domain) =>
	Array.from({ length: 10 }, (_, n) => `user${n}@${domain}`),
);
const CREDITS = 100;
const MAIL: MailWorld = (email, nth) => {
	if (email.endsWith('@greylisting.test')) return nth === 1 ? 'greylisted' : 'accepted_email';
	return email.startsWith('user7') ? 'rejected_email' : 'accepted_email';
};
const NOT_ASKED = Array.from({ length: 10 }, () => 'not_asked');

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

async function recordOf(world: JobWorld, jobId: string): Promise<JobRecord> {
	const job = await world.account.findJob(jobId);
	if (job === null) throw new Error('the job is there');
	return job;
}

const end = async (world: JobWorld, jobId: string, services = world.healthy): Promise<JobRecord> =>
	finishJob(services, world, { job: await recordOf(world, jobId) });

/** A job of which one part is answered, one deferred and one not asked. */
async function halfDone(): Promise<{ world: JobWorld; jobId: string }> {
	const world = await jobWorld(CREDITS, MAIL);
	const { jobId } = await world.submit(EMAILS);
	await world.drain(world.healthy, (all) => all.slice(0, 2));
	expect(await recordOf(world, jobId)).toMatchObject({ processed: 10, waiting: 10, creditsReserved: 20 });
	return { world, jobId };
}

const FINISHED = {
	begin: halfDone,
	live: ({ world, jobId }, services) => end(world, jobId, services),
	again: async ({ world, jobId }, { call, when }) => {
		// A request that never came to its account left the job running: its owner asks again.
		if (call === 1 && when === 'before') await end(world, jobId);
		return jobId;
	},
	emails: EMAILS,
	isEnd: (found, about) => expect(found.slice(10), about).toEqual([...NOT_ASKED, ...NOT_ASKED]),
} satisfies Life<Awaited<ReturnType<typeof halfDone>>>;

describe('a job that its owner finishes', () => {
	test('is completed at once: answers stay and stay charged, the rest is not_asked and refunded', async () => {
		const { world, jobId } = await halfDone();
		expect(await end(world, jobId)).toMatchObject({
			status: 'completed',
			processed: 30,
			counts: { deliverable: 9, undeliverable: 1, risky: 0, unknown: 20, catchAll: 0 },
			creditsReserved: 0,
			creditsUsed: 10,
			creditsRefunded: 20,
		});
		const found = await world.expectExact(jobId, EMAILS);
		expect(found.slice(0, 10)).toEqual(EMAILS.slice(0, 10).map((email) => MAIL(email, 1, false)));
		expect(found.slice(10)).toEqual([...NOT_ASKED, ...NOT_ASKED]);
	});

	test('before anybody was asked costs nothing', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await world.submit(EMAILS);
		await end(world, jobId);
		expect(await world.expectExact(jobId, EMAILS)).toEqual([...NOT_ASKED, ...NOT_ASKED, ...NOT_ASKED]);
		expect((await world.stub.show()).balance).toMatchObject({ availableCredits: CREDITS, totalConsumed: 0 });
	});

	test('twice, side by side, or after its end, stays as it was', async () => {
		const { world, jobId } = await halfDone();
		await Promise.all([end(world, jobId), end(world, jobId)]);
		const before = [await recordOf(world, jobId), await world.stub.show()];
		world.clock.now += 60_000;
		expect(await end(world, jobId)).toEqual(before[0]);
		expect([await recordOf(world, jobId), await world.stub.show()]).toEqual(before);
		const whole = await jobWorld(CREDITS, MAIL);
		const { jobId: other } = await whole.submit(EMAILS);
		const ended = await whole.finish(other);
		expect(await end(whole, other)).toEqual(ended);
		expect((await whole.expectExact(other, EMAILS)).includes('not_asked')).toBe(false);
	});

	test('whose input is gone is failed and costs nothing', async () => {
		const { world, jobId } = await halfDone();
		await world.healthy.jobBlobs.remove(jobId);
		expect(await end(world, jobId)).toMatchObject({ status: 'failed', creditsUsed: 0 });
		expect((await world.stub.show()).balance).toMatchObject({
			availableCredits: CREDITS,
			reservedCredits: 0,
		});
		await expect(end(world, jobId)).rejects.toMatchObject({ code: 'job_failed' });
	});

	// The moments at which a consumer still has a part in hand.
	test.each(['readPart', 'examineAddresses', 'putAttempt', 'settlePart'])(
		'while a consumer is at its %s takes nothing of what that brings later',
		async (step) => {
			const { world, jobId } = await halfDone();
			world.clock.now += 10_000;
			await world.advance();
			let isEnded = false;
			const { services } = mortal(world, null, async (_, name) => {
				if (isEnded || name !== step) return;
				isEnded = true;
				await end(world, jobId);
			});
			await world.drain(services);
			expect(isEnded).toBe(true);
			const found = await world.expectExact(jobId, EMAILS);
			expect(found.slice(0, 10)).toEqual(EMAILS.slice(0, 10).map((email) => MAIL(email, 1, false)));
			expect(found.filter((subStatus) => subStatus === 'not_asked').length).toBeGreaterThanOrEqual(10);
			const { queued } = world;
			expect(queued()).toEqual([]);
		},
	);

	test('by a process that dies between any two steps is finished all the same, by the same figures', async () => {
		const calls = await callsOf(FINISHED);
		expect(new Set(calls)).toEqual(
			new Set(
				'finishJob findJob attemptsOf readPart readAttempt putPage putSummary listJob completeJob'.split(' '),
			),
		);
		for (const death of everyDeath(calls)) await survive(FINISHED, death);
	});
});

describe('results that their owner deletes', () => {
	const owner = ({ accountId }: JobWorld) => ({ accountId, keyId: 'key' });
	const blobsOf = async (jobId: string): Promise<number> =>
		(await env.BLOBS.list({ prefix: `jobs/${jobId}/` })).objects.length;
	const read = (world: JobWorld, job: JobRecord) =>
		readResults(world.healthy, { job, page: 1, limit: 25, list: 'all' });
	const remove = async (world: JobWorld, jobId: string, services: VerifyPartServices = world.healthy) =>
		deleteResults(services, owner(world), { job: await recordOf(world, jobId) });

	test('are gone at once, from the bucket as well, and the record stays with its counters', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await world.submit(EMAILS);
		const before = await world.finish(jobId);
		world.clock.now += 3_600_000;
		await remove(world, jobId);
		const job = await recordOf(world, jobId);
		expect(job).toEqual({ ...before, deletedAt: world.clock.now, resultsExpiresAt: world.clock.now });
		await expect(read(world, job)).rejects.toMatchObject({
			code: 'results_expired',
			message: 'The results were deleted on request',
		});
		await world.advance();
		expect(await blobsOf(jobId)).toBe(0);
		await remove(world, jobId);
		expect(await recordOf(world, jobId)).toEqual(job);
	});

	test('of a job that was just finished leave the bucket when no consumer can write to it any more', async () => {
		const { world, jobId } = await halfDone();
		await end(world, jobId);
		await remove(world, jobId);
		await expect(read(world, await recordOf(world, jobId))).rejects.toMatchObject({
			code: 'results_expired',
		});
		const since = world.clock.now;
		while ((await blobsOf(jobId)) > 0) await world.advance();
		expect(world.clock.now - since).toBe(3 * 60_000);
	});

	test('are kept while the job runs', async () => {
		const { world, jobId } = await halfDone();
		await expect(remove(world, jobId)).rejects.toMatchObject({
			code: 'job_not_completed',
			details: { status: 'processing' },
		});
		await world.finish(jobId);
		await world.expectExact(jobId, EMAILS);
	});

	test('by a process that dies right after are gone all the same', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await world.submit(EMAILS);
		await world.finish(jobId);
		const { services } = mortal(world, { call: 1, when: 'after' });
		await expect(remove(world, jobId, services)).rejects.toThrow();
		await expect(read(world, await recordOf(world, jobId))).rejects.toMatchObject({
			code: 'results_expired',
		});
		while ((await blobsOf(jobId)) > 0) await world.advance();
	});
});
