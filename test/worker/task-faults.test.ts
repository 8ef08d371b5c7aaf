import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callsOf, deathsIn, liveOut, survive } from '../support/deaths.ts';
import type { Life } from '../support/deaths.ts';
import { jobWorld } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';

// Catch-all tasks run on the machine of bulk jobs. What is their own: the copy of the source's rows, rows with a score,
// charges by verdict, and a key of their own.

const CATCH_ALL = ['first.test', 'second.test'].flatMap((domain) =>
	Array.from({ length: 10 }, (_, n) => `user${n}@${domain}`),
);
const EMAILS = [...CATCH_ALL.slice(0, 5), 'ada@plain.test', ...CATCH_ALL.slice(5), 'bob@plain.test'];
const CREDITS = 100;

const VERDICTS = ['catch_all_valid', 'catch_all_invalid', 'catch_all_unresolved'] as const;
const MAIL: MailWorld = (email, nth, deep) => {
	if (email.endsWith('@plain.test')) return 'accepted_email';
	if (!deep) return 'catch_all';
	if (email === 'user9@second.test' && nth === 1) return 'greylisted';
	return VERDICTS[Number(email[4]) % 3]!;
};
const FOUND = CATCH_ALL.map((email) => MAIL(email, 2, true));

const POISON: MailWorld = (email, nth, deep) => {
	if (deep && email === 'user3@first.test') throw new Error('this address breaks its consumer');
	return MAIL(email, nth, deep);
};

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

async function withSource(): Promise<{ world: JobWorld; jobId: string }> {
	const world = await jobWorld(CREDITS, MAIL);
	const { jobId } = await world.submit(EMAILS);
	await world.finish(jobId);
	return { world, jobId };
}

describe('a catch-all task', () => {
	test('scores the catch-all rows of its source, in their order, and refunds the unknown ones', async () => {
		const { world, jobId } = await withSource();
		const task = await world.submitTask(jobId);
		await world.finish(task.jobId);
		expect(await world.expectExact(task.jobId, CATCH_ALL)).toEqual(FOUND);
		expect(await world.account.findJob(task.jobId)).toMatchObject({ kind: 'catchall', sourceJobId: jobId });
		const listed = await world.account.listJobs({ kind: 'verification', page: 1, pageSize: 10 });
		expect([listed.total, listed.jobs.map((job) => job.jobId)]).toEqual([1, [jobId]]);
		expect((await world.account.tasksOf(jobId)).map((each) => each.jobId)).toEqual([task.jobId]);
	});

	test('goes on when the results of its source expire meanwhile, and is the last of that source', async () => {
		const { world, jobId } = await withSource();
		const task = await world.submitTask(jobId);
		await world.account.deleteResults({ jobId, now: world.clock.now });
		await world.healthy.jobBlobs.remove(jobId);
		const before = (await world.stub.show()).balance;
		await expect(world.submitTask(jobId, world.healthy, 'another')).rejects.toMatchObject({
			code: 'results_expired',
		});
		expect((await world.stub.show()).balance).toEqual(before);
		expect((await world.submitTask(jobId)).response).toBe(task.response);
		await world.finish(task.jobId);
		expect(await world.expectExact(task.jobId, CATCH_ALL)).toEqual(FOUND);
	});

	test('of a source without catch-all rows is completed at once and costs nothing', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await world.submit(['ada@plain.test']);
		await world.finish(jobId);
		const task = await world.submitTask(jobId);
		expect(await world.account.findJob(task.jobId)).toMatchObject({
			status: 'completed',
			accepted: 0,
			creditsReserved: 0,
			creditsUsed: 0,
		});
		expect((await world.stub.show()).balance).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
		expect((await world.submitTask(jobId)).response).toBe(task.response);
	});

	test('is one under its key, whatever became of the source, and its key is not that of a job', async () => {
		const { world, jobId } = await withSource();
		const first = await world.submitTask(jobId);
		expect(first.jobId).not.toBe(jobId);
		await world.finish(first.jobId);
		await world.expectExact(first.jobId, CATCH_ALL);
		await world.healthy.jobBlobs.remove(jobId);
		world.clock.now += 47 * 3_600_000;
		expect((await world.submitTask(jobId)).response).toBe(first.response);
	});

	test('needs a credit for each address', async () => {
		const world = await jobWorld(EMAILS.length + CATCH_ALL.length - 1, MAIL);
		const { jobId } = await world.submit(EMAILS);
		await world.finish(jobId);
		await expect(world.submitTask(jobId)).rejects.toMatchObject({
			code: 'insufficient_credits',
			details: { required: CATCH_ALL.length, available: CATCH_ALL.length - 1 },
		});
		expect((await world.stub.show()).balance).toMatchObject({ reservedCredits: 0 });
	});

	test('needs a job that is completed, and its own account', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await world.submit(EMAILS);
		await expect(world.submitTask(jobId)).rejects.toMatchObject({
			code: 'job_not_completed',
			details: { status: 'processing' },
		});
		await expect(world.submitTask('job_none')).rejects.toMatchObject({ code: 'job_not_found' });
		await world.finish(jobId);
		const task = await world.submitTask(jobId);
		await world.finish(task.jobId);
		// A task is no job: there is nothing to check again in it.
		const again = world.submitTask(task.jobId, undefined, 'another key');
		await expect(again).rejects.toMatchObject({ code: 'job_not_found' });
	});

	test('that ends with its account keeps its answers, and the rest is unknown by scores that add up', async () => {
		const { world, jobId } = await withSource();
		const task = await world.submitTask(jobId);
		await world.drain(world.healthy, (all) => all.slice(0, 1));
		await world.stub.suspend({ at: world.clock.now });
		await world.finish(task.jobId);
		const found = await world.expectExact(task.jobId, CATCH_ALL);
		expect(found.slice(0, 10)).toEqual(FOUND.slice(0, 10));
		expect(new Set(found.slice(10))).toEqual(new Set(['not_asked']));
	});

	test('whose messages fail every time ends with unknown scores that add up, refunded', async () => {
		const world = await jobWorld(CREDITS, POISON);
		const { jobId } = await world.submit(EMAILS);
		await world.finish(jobId);
		const task = await world.submitTask(jobId);
		await world.finish(task.jobId);
		const found = await world.expectExact(task.jobId, CATCH_ALL);
		expect(new Set(found.slice(0, 10))).toEqual(new Set(['unexpected_error']));
		expect(found.slice(10)).toEqual(FOUND.slice(10));
	});
});

const TASK = {
	begin: withSource,
	live: ({ world, jobId }, services) => liveOut(world, services, world.submitTask(jobId, services)),
	again: async ({ world, jobId }) => (await world.submitTask(jobId)).jobId,
	emails: CATCH_ALL,
	isEnd: (found, about) => expect(found, about).toEqual(FOUND),
} satisfies Life<Awaited<ReturnType<typeof withSource>>>;

test('a process that dies between any two steps of a task loses and repeats nothing', async () => {
	const calls = await callsOf(TASK);
	expect(new Set(calls)).toContain('findAnswer');
	for (const death of deathsIn(calls)) await survive(TASK, death);
});
