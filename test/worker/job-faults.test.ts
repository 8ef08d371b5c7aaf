import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { endJob, retryJob, showJob } from '../../src/operations/jobs/manage-job.ts';
import { callsOf, deathsIn, liveOut, survive } from '../support/deaths.ts';
import type { Life } from '../support/deaths.ts';
import { jobWorld, listedAccount, mortal, statusesOf } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';

// Whatever dies, is delivered twice, comes late or is out for a while: every address ends exactly once in the results,
// and the ledger says what the results say.

// Three domains of ten addresses are three parts: one that is done at once, one that has to be asked twice.
const EMAILS = ['calm.test', 'greylisting.test', 'mixed.test'].flatMap((domain) =>
	Array.from({ length: 10 }, (_, n) => `user${n}@${domain}`),
);
const CREDITS = 100;
// Of a job under fifty addresses.
const FIRST_PAUSE_MS = 3_000;

const MAIL: MailWorld = (email, nth) => {
	if (email.endsWith('@greylisting.test')) return nth === 1 ? 'greylisted' : 'accepted_email';
	if (!email.endsWith('@mixed.test')) return 'accepted_email';
	return (['accepted_email', 'rejected_email', 'mailbox_full', 'catch_all', 'timeout'] as const)[
		Number(email[4]) % 5
	]!;
};
const AFTER_TWO_ATTEMPTS = EMAILS.map((email) => MAIL(email, 2, false));

// What fails on purpose is logged, some thousand times.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

const world = (mail: MailWorld = MAIL): Promise<JobWorld> => jobWorld(CREDITS, mail);

const operating = ({ healthy, directory }: JobWorld) => ({
	...healthy,
	directory,
	actor: 'ada',
});

const LIFE = {
	begin: async () => ({ world: await world() }),
	live: ({ world: of }, services) => liveOut(of, services, of.submit(EMAILS, services)),
	// With the same key.
	again: async ({ world: of }) => (await of.submit(EMAILS)).jobId,
	emails: EMAILS,
	isEnd: (found, about) => expect(statusesOf(found), about).toEqual(statusesOf(AFTER_TWO_ATTEMPTS)),
} satisfies Life<{ world: JobWorld }>;

describe('a process that dies', () => {
	test('between any two steps, from the request to the last acknowledgement, loses and repeats nothing', async () => {
		const life = await callsOf(LIFE);
		expect(new Set(life)).toEqual(
			new Set(
				'findAnswer putInput openJob listJob claimPart readAttempt readPart findOutcomes examineAddresses putAttempt settlePart findJob attemptsOf putPage putSummary completeJob'.split(
					' ',
				),
			),
		);
		// On the second occasion too; the thirty questions to mail servers are all alike.
		for (const [nth, death] of deathsIn(life, 2).entries())
			for (const losesQueue of [false, true])
				if (inject('isLong') || losesQueue === ((nth >> 1) % 2 === 1)) await survive(LIFE, death, losesQueue);
	});

	test('five times in a row with the same part gives its open addresses up: unknown, refunded, and the job completes', async () => {
		const poisoned = await world();
		const { jobId } = await poisoned.submit(EMAILS);
		await poisoned.drain();
		for (let death = 0; death < 5; death += 1) {
			poisoned.loseQueue();
			await poisoned.advance();
			const { services } = mortal(poisoned, { call: 2, when: 'after' });
			await poisoned.drain(services);
		}
		poisoned.loseQueue();
		await poisoned.finish(jobId);
		const found = await poisoned.expectExact(jobId, EMAILS);
		expect(found.slice(10, 20)).toEqual(Array.from({ length: 10 }, () => 'greylisted'));
		expect(found.slice(0, 10)).toEqual(AFTER_TWO_ATTEMPTS.slice(0, 10));
	});
});

describe('messages', () => {
	test('delivered many times, in any order, side by side, change nothing', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(3), fc.nat({ max: 1_000_000 })), { minLength: 4, maxLength: 4 }),
				async (plan) => {
					const busy = await world();
					const { jobId } = await busy.submit(EMAILS);
					for (const [copies, order] of plan) {
						for (let copy = 0; copy < Math.min(copies, 2); copy += 1) busy.duplicate();
						await busy.drain(busy.healthy, (all) => rotated(all, order));
						const job = await busy.account.findJob(jobId);
						if (job?.status === 'processing') await busy.advance();
					}
					await busy.finish(jobId);
					expect(statusesOf(await busy.expectExact(jobId, EMAILS))).toEqual(statusesOf(AFTER_TWO_ATTEMPTS));
				},
			),
			{ numRuns: 12 },
		);
	});

	test('of a job that has ended are taken and dropped', async () => {
		const over = await world();
		const { jobId } = await over.submit(EMAILS);
		over.duplicate();
		const late = over.queued();
		await over.finish(jobId);
		const before = await over.stub.show();
		for (const message of late) await over.deliver(message);
		expect(over.queued()).toEqual([]);
		expect(await over.stub.show()).toEqual(before);
	});

	test('that fail every time are given up: unknown, refunded, and the job completes', async () => {
		const poisoned = await world();
		const { jobId } = await poisoned.submit(EMAILS);
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
		expect(found.slice(0, 20)).toEqual(AFTER_TWO_ATTEMPTS.slice(0, 20));
	});
});

describe('a stored attempt that can not be used', () => {
	test.each([
		['is no text of ours', 'no rows'],
		['has too few rows', ''],
	])('because it %s ends its part like messages that fail: unknown, refunded', async (_, rows) => {
		const poisoned = await world();
		const { jobId } = await poisoned.submit(EMAILS);
		await poisoned.healthy.jobBlobs.putAttempt(jobId, 2, 1, rows);
		await poisoned.drain();
		// What a first attempt answered stays, and stays charged.
		await poisoned.healthy.jobBlobs.putAttempt(jobId, 1, 2, rows);
		await poisoned.finish(jobId);
		const found = await poisoned.expectExact(jobId, EMAILS);
		expect(found.slice(0, 10)).toEqual(AFTER_TWO_ATTEMPTS.slice(0, 10));
		expect(new Set(found.slice(10, 20))).toEqual(new Set(['greylisted']));
		expect(new Set(found.slice(20))).toEqual(new Set(['unexpected_error']));
	});

	test('is settled from the next one, wherever its consumer dies', async () => {
		for (const call of [1, 2, 3, 4, 5, 6]) {
			const poisoned = await world();
			const { jobId } = await poisoned.submit(EMAILS);
			await poisoned.healthy.jobBlobs.putAttempt(jobId, 2, 1, 'no rows');
			for (let round = 0; round < 12; round += 1) {
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
		const robbed = await world();
		const { jobId } = await robbed.submit(EMAILS);
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

describe('two consumers with one part that hear different replies', () => {
	test('charge for what is stored, wherever the slower one was overtaken', async () => {
		const life = await callsOf(LIFE);
		// From the claim of the first part to its settlement.
		const claimed = life.indexOf('claimPart') + 1;
		const settled = life.indexOf('settlePart') + 1;
		for (let at = claimed + 1; at <= settled; at += 1) {
			let isSlow = true;
			const torn = await world((_, nth) =>
				isSlow && nth === 1 ? 'rejected_email' : nth % 2 === 0 ? 'accepted_email' : 'timeout',
			);
			const { jobId } = await torn.submit(EMAILS.slice(0, 10));
			let overtaken = false;
			const slow = mortal(torn, null, async (call) => {
				// The request made no calls of this process, so its claim is call 1.
				if (call !== at - claimed + 1 || overtaken) return;
				overtaken = true;
				isSlow = false;
				// Its lease ends, and another consumer does all of the work.
				torn.clock.now += 60_000;
				torn.duplicate();
				await torn.advance();
				await torn.drain();
			});
			await torn.drain(slow.services);
			expect(overtaken, `overtaken at ${life[at - 1]}`).toBe(true);
			await torn.finish(jobId);
			await torn.expectExact(jobId, EMAILS.slice(0, 10));
		}
	});
});

describe('a part of the platform that is out', () => {
	test.each([
		['the bucket for five minutes', 'bucket', 5],
		['the bucket for five hours', 'bucket', 300],
		['the bucket for longer than the horizon of a job', 'bucket', 25 * 60],
		['the queue for an hour', 'queue', 60],
	] as const)('%s delays the job and changes no answer', async (_, what, minutes) => {
		const troubled = await world();
		const { jobId } = await troubled.submit(EMAILS);
		const back = troubled.clock.now + minutes * 60_000;
		troubled.out[what] = true;
		while (troubled.clock.now < back) {
			await troubled.drain();
			await troubled.advance();
		}
		troubled.out[what] = false;
		const job = await troubled.finish(jobId);
		expect(job.completedAt).toBeGreaterThanOrEqual(back);
		expect(statusesOf(await troubled.expectExact(jobId, EMAILS))).toEqual(statusesOf(AFTER_TWO_ATTEMPTS));
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

test('a job whose input is gone has failed, says why, and gives its credits back', async () => {
	const robbed = await world();
	const { jobId } = await robbed.submit(EMAILS);
	await robbed.healthy.jobBlobs.remove(jobId);
	expect(await robbed.finish(jobId)).toMatchObject({
		status: 'failed',
		error: "The job's input is gone",
		creditsReserved: 0,
		creditsUsed: 0,
		completedAt: null,
	});
	expect((await robbed.stub.show()).balance).toMatchObject({
		availableCredits: CREDITS,
		reservedCredits: 0,
		totalConsumed: 0,
	});
});

describe('an operator', () => {
	test('is told of a job that nobody moves, from ten minutes on, and sets it going again', async () => {
		const troubled = await world();
		const { jobId } = await troubled.submit(EMAILS);
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
		const patient = await world((email, nth) => (nth < 3 ? 'greylisted' : MAIL(email, nth, false)));
		const { jobId } = await patient.submit(EMAILS);
		await patient.drain();
		const { parts } = await showJob(operating(patient), { jobId });
		expect(parts.map(({ stuck, open, attempts }) => [stuck, open, attempts])).toEqual([
			[false, 10, 1],
			[false, 10, 1],
			[false, 10, 1],
		]);
	});

	test('is told that a job that has ended, or never was, can not be retried', async () => {
		const over = await world();
		const { jobId } = await over.submit(EMAILS);
		await over.finish(jobId);
		await expect(retryJob(operating(over), { jobId })).rejects.toMatchObject({ code: 'job_ended' });
		await expect(showJob(operating(over), { jobId: 'job_never' })).rejects.toMatchObject({
			code: 'job_not_found',
		});
		expect(await showJob(operating(over), { jobId })).toMatchObject({
			job: { status: 'completed' },
			parts: [],
		});
	});

	test('finds a job that could not be listed when it came in once its first part has listed it', async () => {
		const unlisted = await world();
		unlisted.out.database = true;
		const { jobId } = await unlisted.submit(EMAILS);
		unlisted.out.database = false;
		expect(await listedAccount(jobId)).toBeNull();
		await unlisted.drain();
		expect(await showJob(operating(unlisted), { jobId })).toMatchObject({ accountId: unlisted.accountId });
	});
});

test('greylisted addresses wait for the schedule of the job, and the job says how many and until when', async () => {
	const patient = await world();
	const { jobId } = await patient.submit(EMAILS);
	const begun = patient.clock.now;
	await patient.drain();
	expect(await patient.account.findJob(jobId)).toMatchObject({
		status: 'processing',
		processed: 20,
		waiting: 10,
		nextAttemptAt: begun + FIRST_PAUSE_MS,
	});
	const job = await patient.finish(jobId);
	expect(job).toMatchObject({ waiting: 0, nextAttemptAt: null });
	expect(job.completedAt).toBeGreaterThanOrEqual(begun + FIRST_PAUSE_MS);
});

function rotated<T>(all: readonly T[], by: number): T[] {
	const at = all.length === 0 ? 0 : by % all.length;
	const turned = [...all.slice(at), ...all.slice(0, at)];
	return by % 2 === 0 ? turned : turned.toReversed();
}
