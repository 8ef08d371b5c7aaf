import { env } from 'cloudflare:workers';
import { expect, inject, test, vi } from 'vitest';
import type { ResultList } from '../../src/core/jobs/pages.ts';
import { streamRows } from '../../src/operations/jobs/steps/stored-results.ts';
import { admissionOf } from '../support/account-jobs.ts';
import { jobWorld } from '../support/job-world.ts';
import type { MailWorld } from '../support/job-world.ts';
import { load, record } from '../support/recording.ts';
import type { Recording } from '../support/recording.ts';

// A deploy meets jobs of the version before: it understands their messages, rows and blobs. Before the first release that
// changes what is stored, keep what the released version leaves behind, and load it here as well:
// RECORDS=print npx vitest run --project worker test/worker/deploy-in-mid-job.test.ts | grep -o '{"now".*' > test/fixtures/versions/DATE.json

const CREDITS = 200;

const DOMAINS = ['calm.test', 'greylisting.test', 'open.test'];
const listOf = (name: string): string[] =>
	DOMAINS.flatMap((domain) => Array.from({ length: 3 }, (_, n) => `${name}${n}@${domain}`));

const MAIL: MailWorld = (email, nth, deep) => {
	if (email.endsWith('greylisting.test') && nth === 1) return 'greylisted';
	if (!email.endsWith('open.test')) return 'accepted_email';
	return deep ? 'catch_all_valid' : 'catch_all';
};

/** Forgets all lists: what follows finds what was recorded alone. */
async function forget(): Promise<void> {
	await env.DB.prepare('DELETE FROM jobs').run();
	// A list gives at most a thousand keys.
	for (;;) {
		const { objects } = await env.BLOBS.list();
		if (objects.length === 0) return;
		await env.BLOBS.delete(objects.map(({ key }) => key));
	}
}

/** An account in the midst of everything: lists, a task and calls at each stage of their lives. */
async function inTheMidst(): Promise<Recording> {
	const world = await jobWorld(CREDITS, MAIL);
	const { jobId: done } = await world.submit(listOf('done'), world.healthy, 'done');
	await world.finish(done);
	const { jobId: waiting } = await world.submit(listOf('waiting'), world.healthy, 'waiting');
	await world.drain();
	const { jobId: task } = await world.submitTask(done, world.healthy, 'task');
	const { jobId: rescue } = await world.submit(listOf('rescue'), world.healthy, 'rescue', true);
	const { jobId: fresh } = await world.submit(listOf('fresh'), world.healthy, 'fresh');
	const lease = { jobId: fresh, part: 0, token: 'lease_of_the_dead', leaseMs: 15_000 };
	await world.account.claimPart({ ...lease, now: world.clock.now });
	await world.stub.admit(admissionOf('call_open', world.clock.now));
	const call = { key: 'keyed', fingerprint: 'f' };
	await world.stub.admit({ ...admissionOf('call_keyed', world.clock.now), call });
	return record(world, { done, waiting, task, rescue, fresh });
}

/** What this version makes of it. */
async function expectUnderstood(recorded: Recording): Promise<void> {
	const world = await jobWorld(CREDITS, MAIL);
	const { known, messages } = await load(world, recorded);
	for (const message of messages) await world.deliver(message);
	const emailsOf = async (name: string, list: ResultList = 'all'): Promise<string[]> => {
		const job = await world.finish(known[name] ?? '');
		expect(job.status, name).toBe('completed');
		expect(job.creditsUsed, name).toBe(job.accepted);
		const emails: string[] = [];
		for await (const [, email] of streamRows(world.healthy, job, list)) emails.push(email);
		return emails;
	};
	for (const name of ['done', 'waiting', 'rescue', 'fresh'])
		expect(await emailsOf(name), name).toEqual(listOf(name));
	expect(await emailsOf('task')).toEqual(listOf('done').slice(6));
	expect(await emailsOf('rescue', 'deliverable')).toEqual(listOf('rescue'));
	// A client that asks again gets the first answer, and its call is under way until its time is over.
	const again = await world.submit(listOf('waiting'), world.healthy, 'waiting');
	expect(JSON.parse(again.response)).toMatchObject({ data: { jobId: known['waiting'], processedEmails: 0 } });
	expect((await world.stub.show()).balance.totalConsumed).toBe(4 * 9 + 3);
	world.clock.now += 6 * 60_000;
	for (let rings = 0; rings < 4; rings += 1) await world.advance();
	expect((await world.stub.show()).balance).toMatchObject({
		reservedCredits: 0,
		availableCredits: CREDITS - 39,
	});
	expect(await world.stub.check()).toEqual([]);
}

test('in a deploy in the midst of everything every job ends, exactly', async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	await forget();
	const recorded = await inTheMidst();
	if (inject('printsRecords')) console.log(JSON.stringify(recorded));
	await forget();
	await expectUnderstood(recorded);
});
