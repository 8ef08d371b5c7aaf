import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deathsIn } from '../support/deaths.ts';
import { jobWorld, mortal } from '../support/job-world.ts';
import type { Fault, JobWorld, MailWorld } from '../support/job-world.ts';
import { readResults } from '../../src/operations/jobs/read-job.ts';

// A job that resolves its catch-all addresses itself: its rows carry a score, and are charged by their verdict.

const EMAILS = ['wide.test', 'open.test', 'plain.test'].flatMap((domain) =>
	Array.from({ length: 10 }, (_, n) => `user${n}@${domain}`),
);
const CREDITS = 100;
const VERDICTS = ['catch_all_valid', 'catch_all_invalid', 'catch_all_unresolved'] as const;

const MAIL: MailWorld = (email, nth, deep) => {
	if (email.endsWith('@plain.test'))
		return email.startsWith('user9') && nth === 1 ? 'greylisted' : 'accepted_email';
	// Greylisting answers before anybody knows that the domain takes everybody.
	if (email.startsWith('user9') && nth === 1) return 'greylisted';
	return deep ? VERDICTS[Number(email[4]) % 3]! : 'catch_all';
};
const FOUND = EMAILS.map((email) => MAIL(email, 2, true));

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

const submit = (world: JobWorld, services = world.healthy) => world.submit(EMAILS, services, 'rescue', true);

async function rowsOf(world: JobWorld, jobId: string) {
	const job = await world.account.findJob(jobId);
	if (job === null) throw new Error('the job is there');
	const { results } = await readResults(world.healthy, { job, page: 1, limit: 500, list: 'all' });
	return results;
}

describe('a job that resolves catch-all addresses', () => {
	test('gives each a verdict and a score, charges what is resolved, and refunds the rest', async () => {
		const world = await jobWorld(CREDITS, MAIL);
		const { jobId } = await submit(world);
		await world.finish(jobId);
		expect(await world.expectExact(jobId, EMAILS)).toEqual(FOUND);
		expect(await world.account.findJob(jobId)).toMatchObject({
			rescuesCatchAll: true,
			counts: { risky: 0, catchAll: 20 },
			creditsUsed: 24,
			creditsRefunded: 6,
		});
		for (const { email, status, ...row } of await rowsOf(world, jobId)) {
			const verdict = { deliverable: 'valid', undeliverable: 'invalid', unknown: 'unknown' }[
				status as string
			];
			if (email.endsWith('@plain.test')) expect(row).not.toHaveProperty('catch_all_score');
			else expect(row).toMatchObject({ catch_all_verdict: verdict, catch_all_score: expect.any(Number) });
		}
	});

	test('whose messages fail every time ends with unknown rows, refunded', async () => {
		const world = await jobWorld(CREDITS, (email, nth, deep) => {
			if (email === 'user3@open.test') throw new Error('this address breaks its consumer');
			return MAIL(email, nth, deep);
		});
		const { jobId } = await submit(world);
		await world.finish(jobId);
		const found = await world.expectExact(jobId, EMAILS);
		expect(new Set(found.slice(10, 20))).toEqual(new Set(['unexpected_error']));
		expect(found.slice(0, 10)).toEqual(FOUND.slice(0, 10));
	});

	test('loses and repeats nothing when a process dies between any two steps', async () => {
		const whole = await jobWorld(CREDITS, MAIL);
		const life = mortal(whole, null);
		await live(whole, life);
		expect(new Set(life.calls)).toContain('readSummary');
		for (const { step, ...fault } of deathsIn(life.calls)) await survive(fault, step);
	});
});

async function live(world: JobWorld, process: ReturnType<typeof mortal>): Promise<void> {
	const { jobId } = await submit(world, process.services);
	for (let round = 0; round < 10; round += 1) {
		await world.drain(process.services);
		if ((await world.account.findJob(jobId))?.status === 'completed') return;
		await world.advance();
	}
	throw new Error('a healthy job ends within ten rounds');
}

async function survive(fault: Fault, step: string): Promise<void> {
	const about = `dies ${fault.when} call ${fault.call}, ${step}`;
	const world = await jobWorld(CREDITS, MAIL);
	const process = mortal(world, fault);
	await live(world, process).catch(() => {});
	expect(process.died(), about).toBe(true);
	world.loseQueue();
	const { jobId } = await submit(world);
	await world.finish(jobId);
	expect(await world.expectExact(jobId, EMAILS), about).toEqual(FOUND);
}
