import { describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../src/lib/time.ts';
import { admitCall, jobOf, openAccount, settlementOf, sqlIn, tallyOf } from '../support/account-jobs.ts';
import { jobWorld } from '../support/job-world.ts';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import type { Account } from '../../src/durable-objects/account/account.ts';

// A running job whose stored record is damaged: everything else goes on, and it can be ended to the credit.

const DAMAGES: readonly (readonly [what: string, query: string])[] = [
	['the terms', "UPDATE jobs SET timing = 'no JSON' WHERE jobId = 'job_1'"],
	['the kind', "UPDATE jobs SET kind = 'unheard of' WHERE jobId = 'job_1'"],
	['the number of addresses', "UPDATE jobs SET accepted = 9 WHERE jobId = 'job_1'"],
	['the price', "UPDATE jobs SET price = 7 WHERE jobId = 'job_1'"],
	['the counts of a part', "UPDATE parts SET deferred = 9 WHERE jobId = 'job_1'"],
	['its parts', "DELETE FROM parts WHERE jobId = 'job_1'"],
];

/** Twenty credits; two lists of three run, each was charged one credit and one was refunded. */
async function damaged(query: string) {
	const opened = await openAccount(20);
	const { stub, start } = opened;
	for (const jobId of ['job_1', 'job_2']) {
		await stub.openJob(jobOf(start, [3], { jobId }));
		await stub.settlePart({ ...settlementOf(0, 1, tallyOf({ risky: 1, unknown: 1 }, 1), start), jobId });
	}
	await sqlIn(stub, query);
	return opened;
}

describe.each(DAMAGES)('a running job that is damaged in %s', (_, query) => {
	test('hides nothing else, is logged where the alarm needs it, and is ended by an operator: all of it is given back', async () => {
		const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { stub, start, ring, nextAlarm, balance } = await damaged(query);
		const entriesOf = async () => (await stub.listLedger({ before: null, pageSize: 9 })).entries;
		const other = { charged: 1, refunded: 1, reserved: 1 };
		expect((await entriesOf()).find(({ id }) => id === 'job_2')).toMatchObject(other);
		expect((await entriesOf()).map(({ id }) => id).toSorted()).toEqual(['initial grant', 'job_1', 'job_2']);
		const { jobs } = await stub.listJobs({ kind: 'verification', page: 1, pageSize: 9 });
		expect(jobs.map(({ jobId }) => jobId)).toContain('job_2');
		const sent = (await ring(start + MINUTE_MS)).map(({ jobId }) => jobId);
		expect(sent).toContain('job_2');
		expect(await nextAlarm()).toBeLessThanOrEqual(start + 3 * MINUTE_MS);
		expect((await ring(start + 3 * MINUTE_MS)).map(({ jobId }) => jobId)).toContain('job_2');
		// What the alarm needs not is none of its business: the job's messages go out.
		const isLost = !sent.includes('job_1') && !query.startsWith('DELETE');
		expect(JSON.stringify(logged.mock.calls).includes('job_damaged')).toBe(isLost);
		const now = start + 4 * MINUTE_MS;
		expect(await stub.endDamaged({ jobId: 'job_2', now })).toBe(false);
		expect(await stub.endDamaged({ jobId: 'job_1', now })).toBe(true);
		expect(await stub.endDamaged({ jobId: 'job_1', now: now + 1 })).toBe(false);
		expect(await balance()).toMatchObject({ availableCredits: 18, reservedCredits: 1, totalConsumed: 1 });
		const ended = { status: 'failed', creditsUsed: 0, creditsReserved: 0 };
		expect(await stub.findJob('job_1')).toMatchObject(ended);
		expect(await stub.findJob('job_2')).toMatchObject({ status: 'processing', creditsReserved: 1 });
		const line = { charged: 0, released: 3, outcome: 'failed' };
		expect((await entriesOf()).find(({ id }) => id === 'job_1')).toMatchObject(line);
		expect(await stub.check()).toEqual([]);
	});

	test('ends with its account: suspended, everything is finished; deleted, nothing is left', async () => {
		const { stub, start, balance } = await damaged(query);
		await stub.suspend({ at: start + 1 });
		expect(await balance()).toMatchObject({ reservedCredits: 0 });
		expect(await stub.check()).toEqual([]);
		const other = await damaged(query);
		await other.stub.close({ now: start + 1 });
		expect(await other.balance()).toMatchObject({ balance: 0, reservedCredits: 0, totalConsumed: 1 });
		expect(await other.stub.check()).toEqual([]);
	});
});

// `Account.check`, which `ops account show` prints, and which the tests with deaths end with.

const EMAILS = ['calm.test', 'greylisting.test', 'open.test'].flatMap((domain) =>
	Array.from({ length: 4 }, (_, n) => `user${n}@${domain}`),
);

/** An account with a completed list, one that waits for a server, and a single call. */
async function livedIn() {
	const world = await jobWorld(1_000, (email, nth) => {
		if (email.endsWith('greylisting.test') && nth === 1) return 'greylisted';
		return email.endsWith('open.test') ? 'catch_all' : 'accepted_email';
	});
	const { jobId: done } = await world.submit(EMAILS, world.healthy, 'first');
	await world.finish(done);
	const { jobId: running } = await world.submit(
		EMAILS.map((email) => `new-${email}`),
		world.healthy,
		'second',
	);
	await world.drain();
	const { settle } = await admitCall(world.stub, 'call_1', world.clock.now);
	await settle('deliverable');
	return { ...world, done, running };
}

type LivedIn = Awaited<ReturnType<typeof livedIn>>;

const changed =
	(query: string, of: 'done' | 'running' = 'running') =>
	({ stub, [of]: jobId }: LivedIn) =>
		sqlIn(stub, query, jobId);

describe('the check of an account', () => {
	test('finds nothing off in one with a past, nor after its old lines are deleted', async () => {
		const world = await livedIn();
		expect(await world.stub.check()).toEqual([]);
		await world.finish(world.running);
		world.clock.now += 3 * 366 * 86_400_000;
		await world.advance();
		await world.advance();
		expect((await world.stub.listLedger({ before: null, pageSize: 9 })).entries).toEqual([]);
		expect(await world.stub.check()).toEqual([]);
	});

	test.each<[string, (world: LivedIn) => Promise<unknown>, RegExp]>([
		[
			'a line was lost',
			({ stub }) => sqlIn(stub, "DELETE FROM ledger WHERE kind = 'verification'"),
			/^Balance: the account says \d+, its parts add up to \d+$/,
		],
		['a grant was lost', ({ stub }) => sqlIn(stub, 'DELETE FROM grants'), /^Received: /],
		[
			'an address of a running job went away',
			changed('UPDATE parts SET deferred = deferred - 1 WHERE jobId = ? AND deferred > 0'),
			/^Reserved: .*|does not count each address once$/,
		],
		[
			'an address of a part is counted twice',
			changed('UPDATE parts SET unknown = unknown + 1 WHERE jobId = ? AND n = 0', 'done'),
			/does not count each address once$/,
		],
		[
			'a part was lost',
			changed('DELETE FROM parts WHERE jobId = ? AND n = 0', 'done'),
			/has other parts than addresses$/,
		],
		[
			'a job was charged for another answer',
			changed('UPDATE jobs SET kept = kept + 1 WHERE jobId = ?', 'done'),
			/was charged for other answers than it has$/,
		],
		[
			'a line of a job that ended is open',
			changed('UPDATE ledger SET closedAt = NULL WHERE id = ?', 'done'),
			/has ended, and its line in the ledger is open$/,
		],
		[
			'the alarm was lost',
			async ({ stub }) => {
				await runInDurableObject(stub, (_: Account, { storage }) => storage.deleteAlarm());
				await evictDurableObject(stub);
			},
			/^A job is due, and no alarm is set for it$/,
		],
	])('says that %s', async (_, damage, says) => {
		const world = await livedIn();
		await damage(world);
		const found = (await world.stub.check()) ?? [];
		expect(found.length).toBeGreaterThan(0);
		expect(
			found.some((sentence) => says.test(sentence)),
			found.join('; '),
		).toBe(true);
	});
});
