import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { endJob, retryJob, showJob } from '../../src/operations/jobs/manage-job.ts';
import {
	CREDITS,
	FINISHED,
	LIST,
	LIST_FOUND,
	MEANWHILE,
	TASK,
	end,
	recordOf,
	waiting,
} from '../support/job-stories.ts';
import type { Begun } from '../support/job-stories.ts';
import { jobWorld, listedAccount, mortal, statusesOf } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// What is delivered twice, comes late, is damaged or is out for a while: every address ends exactly once in the results, and
// the ledger says what the results say. Processes that die: job-deaths.test.ts.

const EMAILS = LIST.emails;

failsOnPurpose();

const world = (mail: MailWorld = LIST.mail): Promise<JobWorld> => jobWorld(CREDITS, mail);
/** One with a list that has just come in. */
const withList = async (mail = LIST.mail) => {
	const made = await world(mail);
	return { world: made, jobId: (await made.submit(EMAILS)).jobId };
};

const operating = ({ healthy, directory }: JobWorld) => ({
	...healthy,
	directory,
	actor: 'ada',
});

describe('a list', () => {
	test('shows and charges what a part stores while it waits for its last address, and asks nobody twice for it', async () => {
		const { world: busy, jobId } = await MEANWHILE.begin();
		const slow = waiting(busy.healthy);
		const draining = busy.drain(slow.services);
		await slow.stored;
		expect(await busy.account.findJob(jobId)).toMatchObject({
			...{ status: 'processing', processed: 7, waiting: 0 },
			...{ creditsUsed: 7, creditsReserved: 2 },
		});
		await draining;
		await busy.finish(jobId);
		await busy.expectExact(jobId, MEANWHILE.emails);
		const asked = MEANWHILE.emails.map((email) => busy.asked.get(`${email} never`));
		expect(asked).toEqual([1, 1, 2, 1, 1, 1, 1, 1, 1]);
	});

	test('whose consumers die five times in a row with the same part gives its open addresses up: unknown, refunded, and the job completes', async () => {
		const { world: poisoned, jobId } = await withList();
		await poisoned.drain();
		for (let death = 0; death < 5; death += 1) {
			poisoned.loseQueue();
			while (poisoned.queued().length === 0) await poisoned.advance();
			const { services } = mortal(poisoned, { call: 2, when: 'after' });
			await poisoned.drain(services);
		}
		poisoned.loseQueue();
		await poisoned.finish(jobId);
		const found = await poisoned.expectExact(jobId, EMAILS);
		expect(found.slice(10, 20)).toEqual(Array.from({ length: 10 }, () => 'greylisted'));
		expect(found.slice(0, 10)).toEqual(LIST_FOUND.slice(0, 10));
	});
});

describe('messages', () => {
	test('delivered many times, in any order, side by side, change nothing', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(3), fc.nat({ max: 1_000_000 })), { minLength: 4, maxLength: 4 }),
				async (plan) => {
					const { world: busy, jobId } = await withList();
					for (const [copies, order] of plan) {
						for (let copy = 0; copy < Math.min(copies, 2); copy += 1) busy.duplicate();
						await busy.drain(busy.healthy, (all) => rotated(all, order));
						const job = await busy.account.findJob(jobId);
						if (job?.status === 'processing') await busy.advance();
					}
					await busy.finish(jobId);
					expect(statusesOf(await busy.expectExact(jobId, EMAILS))).toEqual(statusesOf(LIST_FOUND));
				},
			),
			{ numRuns: 12 },
		);
	});

	test('that fail every time are given up: unknown, refunded, and the job completes', async () => {
		const { world: poisoned, jobId } = await withList();
		const { jobBlobs } = poisoned.healthy;
		// What is found about one of the addresses can't be stored.
		const breaks = (rows: string): boolean => /"user3@mixed.test","(?!unexpected_error)/.test(rows);
		const services = {
			...poisoned.healthy,
			jobBlobs: {
				...jobBlobs,
				putAttempt: (...[job, part, attempt, rows]: Parameters<typeof jobBlobs.putAttempt>) =>
					breaks(rows)
						? Promise.reject(new Error('this part breaks its consumer'))
						: jobBlobs.putAttempt(job, part, attempt, rows),
			},
		};
		await poisoned.finish(jobId, services);
		const found = await poisoned.expectExact(jobId, EMAILS);
		expect(statusesOf(found.slice(20))).toEqual(Array.from({ length: 10 }, () => 'unknown'));
		expect(found.slice(0, 20)).toEqual(LIST_FOUND.slice(0, 20));
	});
});

describe('a stored attempt that can not be used', () => {
	test.each([
		['is no text of ours', 'no rows'],
		['has too few rows', ''],
	])('because it %s ends its part like messages that fail: unknown, refunded', async (_, rows) => {
		const { world: poisoned, jobId } = await withList();
		await poisoned.healthy.jobBlobs.putAttempt(jobId, 2, 1, rows);
		await poisoned.drain();
		// What a first attempt answered stays, and stays charged.
		await poisoned.healthy.jobBlobs.putAttempt(jobId, 1, 2, rows);
		await poisoned.finish(jobId);
		const found = await poisoned.expectExact(jobId, EMAILS);
		expect(found.slice(0, 10)).toEqual(LIST_FOUND.slice(0, 10));
		expect(new Set(found.slice(10, 20))).toEqual(new Set(['greylisted']));
		expect(new Set(found.slice(20))).toEqual(new Set(['unexpected_error']));
	});

	test('is settled from the next one, wherever its consumer dies', async () => {
		for (const call of [1, 2, 3, 4, 5, 6]) {
			const { world: poisoned, jobId } = await withList();
			await poisoned.healthy.jobBlobs.putAttempt(jobId, 2, 1, 'no rows');
			for (let round = 0; round < 6; round += 1) {
				await poisoned.drain(mortal(poisoned, { call, when: 'after' }).services);
				poisoned.loseQueue();
				await poisoned.advance();
			}
			await poisoned.finish(jobId);
			expect(new Set((await poisoned.expectExact(jobId, EMAILS)).slice(20))).toEqual(
				new Set(['unexpected_error']),
			);
		}
	});
});

test.each([
	['waits', 1],
	['is done', 0],
])(
	'a job whose settled answers are damaged, of a part that %s, stands still until an operator ends it, and costs nothing',
	async (_, part) => {
		const { world: robbed, jobId } = await withList();
		await robbed.drain();
		await env.BLOBS.put(`jobs/${jobId}/parts/${part}.1`, 'no rows');
		for (let round = 0; round < 12; round += 1) {
			await robbed.advance();
			await robbed.drain();
		}
		expect(await robbed.account.findJob(jobId)).toMatchObject({ status: 'processing' });
		expect((await endJob(operating(robbed), { jobId })).job).toMatchObject({
			status: 'failed',
			error: 'Stored answers of it are damaged',
			creditsUsed: 0,
		});
		expect((await robbed.stub.show()).balance).toMatchObject({ availableCredits: CREDITS, totalConsumed: 0 });
		expect(await robbed.stub.check()).toEqual([]);
	},
);

describe('a part of the platform that is out', () => {
	test.each([
		['the bucket for longer than the horizon of a job', 'bucket', 25 * 60],
		['the queue for an hour', 'queue', 60],
	] as const)('%s delays the job and changes no answer', async (_, what, minutes) => {
		const { world: troubled, jobId } = await withList();
		const back = troubled.clock.now + minutes * 60_000;
		troubled.out[what] = true;
		while (troubled.clock.now < back) {
			await troubled.drain();
			await troubled.advance();
		}
		troubled.out[what] = false;
		const job = await troubled.finish(jobId);
		expect(job.completedAt).toBeGreaterThanOrEqual(back);
		expect(statusesOf(await troubled.expectExact(jobId, EMAILS))).toEqual(statusesOf(LIST_FOUND));
	});

	test('the bucket when a list comes in refuses it: nothing is reserved, nothing remains', async () => {
		const troubled = await world();
		troubled.out.bucket = true;
		await expect(troubled.submit(EMAILS)).rejects.toMatchObject({ code: 'upstream_unavailable' });
		troubled.out.bucket = false;
		expect((await troubled.stub.show()).balance).toMatchObject({
			reservedCredits: 0,
			availableCredits: CREDITS,
		});
		const { jobId } = await troubled.submit(EMAILS);
		await troubled.finish(jobId);
		await troubled.expectExact(jobId, EMAILS);
	});
});

test.each([
	['is worked on', ({ world: robbed, jobId }: Begun) => robbed.finish(jobId)],
	['is ended by its owner', ({ world: robbed, jobId }: Begun) => end(robbed, jobId)],
])('a job whose input is gone when it %s has failed, says why, and costs nothing', async (_, ends) => {
	const begun = await FINISHED.begin();
	const { world: robbed, jobId } = begun;
	await robbed.healthy.jobBlobs.remove(jobId);
	expect(await ends(begun)).toMatchObject({
		status: 'failed',
		error: "The job's input is gone",
		creditsReserved: 0,
		creditsUsed: 0,
		completedAt: null,
	});
	const free = { availableCredits: CREDITS, reservedCredits: 0, totalConsumed: 0 };
	expect((await robbed.stub.show()).balance).toMatchObject(free);
	await expect(end(robbed, jobId)).rejects.toMatchObject({ code: 'job_failed' });
});

describe('an operator', () => {
	test('is told of a job that nobody moves, from ten minutes on, and sets it going again', async () => {
		const { world: troubled, jobId } = await withList();
		const begun = troubled.clock.now;
		const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
		const told = () => logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(jobId));
		// Every message is lost, and the alarm's as well.
		for (; troubled.clock.now < begun + 599_999; await troubled.advance()) {
			expect(told()).toEqual([]);
			troubled.loseQueue();
		}
		while (told().length === 0) {
			troubled.loseQueue();
			await troubled.advance();
		}
		expect(JSON.parse(told()[0] ?? '')).toMatchObject({
			event: 'job_stuck',
			account: troubled.accountId,
			parts: 3,
			since: new Date(begun).toISOString(),
		});
		troubled.loseQueue();
		const now = troubled.clock.now;
		const { parts } = await retryJob(operating(troubled), { jobId });
		expect(parts.map(({ stuck, claims, sends }) => [stuck, claims, sends])).toEqual([
			[false, 0, 0],
			[false, 0, 0],
			[false, 0, 0],
		]);
		await troubled.advance();
		expect(troubled.clock.now).toBe(now);
		expect(troubled.queued()).toHaveLength(3);
		await troubled.finish(jobId);
		await troubled.expectExact(jobId, EMAILS);
	});

	test('does not see a job that waits for a server, or that a consumer is at work on', async () => {
		const { world: patient, jobId } = await withList((email, nth) =>
			nth < 3 ? 'greylisted' : LIST.mail(email, nth, false),
		);
		await patient.drain();
		const { parts } = await showJob(operating(patient), { jobId });
		expect(parts.map(({ stuck, open, attempts }) => [stuck, open, attempts])).toEqual([
			[false, 10, 1],
			[false, 10, 1],
			[false, 10, 1],
		]);
	});

	test('finds a job that could not be listed when it came in once its alarm has listed it', async () => {
		const unlisted = await world();
		unlisted.out.database = true;
		const { jobId } = await unlisted.submit(EMAILS);
		unlisted.out.database = false;
		expect(await listedAccount(jobId)).toBeNull();
		for (; (await listedAccount(jobId)) === null; await unlisted.advance()) await unlisted.drain();
		expect(await showJob(operating(unlisted), { jobId })).toMatchObject({ accountId: unlisted.accountId });
	});
});

describe('a catch-all task', () => {
	test('is one under its key, scores the catch-all rows of its source, and outlives the results of that', async () => {
		const { world: busy, jobId } = await TASK.begin();
		const task = await busy.submitTask(jobId);
		expect(task.jobId).not.toBe(jobId);
		await busy.account.deleteResults({ jobId, now: busy.clock.now });
		await busy.healthy.jobBlobs.remove(jobId);
		const before = (await busy.stub.show()).balance;
		const another = busy.submitTask(jobId, busy.healthy, 'another');
		await expect(another).rejects.toMatchObject({ code: 'results_expired' });
		expect((await busy.stub.show()).balance).toEqual(before);
		await busy.finish(task.jobId);
		TASK.isEnd(await busy.expectExact(task.jobId, TASK.emails), 'a healthy one');
		expect(await recordOf(busy, task.jobId)).toMatchObject({ kind: 'catchall', sourceJobId: jobId });
		const listed = await busy.account.listJobs({ kind: 'verification', page: 1, pageSize: 10 });
		expect([listed.total, listed.jobs.map((job) => job.jobId)]).toEqual([1, [jobId]]);
		expect((await busy.account.tasksOf(jobId)).map((each) => each.jobId)).toEqual([task.jobId]);
		busy.clock.now += 47 * 3_600_000;
		expect((await busy.submitTask(jobId)).response).toBe(task.response);
		// A task is no job: there is nothing to check again in it.
		const again = busy.submitTask(task.jobId, busy.healthy, 'another');
		await expect(again).rejects.toMatchObject({ code: 'job_not_found' });
	});

	test.each([
		['ends with its account keeps its answers, and the rest', 'not_asked', 10],
		['fails with each message of a part gives that up: it', 'unexpected_error', 0],
	])('that %s is unknown by scores that add up, refunded', async (_, unknown, from) => {
		const { world: busy, jobId } = await TASK.begin((email, nth, deep) => {
			if (from === 0 && deep && email === 'user3@first.test')
				throw new Error('this address breaks its consumer');
			return TASK.mail(email, nth, deep);
		});
		const task = await busy.submitTask(jobId);
		if (from > 0) {
			await busy.drain(busy.healthy, (all) => all.slice(0, 1));
			await busy.stub.suspend({ at: busy.clock.now });
		}
		await busy.finish(task.jobId);
		const found = await busy.expectExact(task.jobId, TASK.emails);
		const expected = TASK.emails.map((email, n) =>
			n >= from && n < from + 10 ? unknown : TASK.mail(email, 2, true),
		);
		expect(found).toEqual(expected);
	});
});

function rotated<T>(all: readonly T[], by: number): T[] {
	const at = all.length === 0 ? 0 : by % all.length;
	const turned = [...all.slice(at), ...all.slice(0, at)];
	return by % 2 === 0 ? turned : turned.toReversed();
}
