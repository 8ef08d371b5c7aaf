import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callsOf, deathsIn, liveOut, survive } from '../support/deaths.ts';
import type { Life } from '../support/deaths.ts';
import { jobWorld } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';
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

const LIFE = {
	begin: async () => ({ world: await jobWorld(CREDITS, MAIL) }),
	live: ({ world }, services) => liveOut(world, services, submit(world, services)),
	again: async ({ world }) => (await submit(world)).jobId,
	emails: EMAILS,
	isEnd: (found, about) => expect(found, about).toEqual(FOUND),
} satisfies Life<{ world: JobWorld }>;

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

	test('loses and repeats nothing when a process dies between any two steps', async () => {
		const calls = await callsOf(LIFE);
		expect(new Set(calls)).toContain('readSummary');
		for (const death of deathsIn(calls)) await survive(LIFE, death);
	});
});
