import { describe, expect, test } from 'vitest';
import { PARTS_IN_FLIGHT_MAX, PARTS_OF_ACCOUNT_MAX } from '../../src/core/jobs/part.ts';
import type { PartMessage } from '../../src/operations/jobs/port.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import {
	LEASE_MS,
	claimOf,
	jobOf,
	openAccount,
	settlementOf,
	sqlIn,
	tallyOf,
} from '../support/account-jobs.ts';

// Of one job twenty parts are on their way at a time, and of an account forty of lists and twenty of small jobs. The Worker
// sends the first ones, the alarm those that follow.

const MORE = 5;
const parts = (of: readonly PartMessage[]): number[] => of.map(({ part }) => part);
const times = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

type Opened = Awaited<ReturnType<typeof openAccount>>;

/** Opens a job with so many parts of this size. Returns the parts that the Worker sends, each taken by a consumer. */
async function begin({ stub }: Opened, jobId: string, count: number, size: number, now: number) {
	const sizes = times(count).map(() => size);
	const opened = await stub.openJob(jobOf(now, sizes, { jobId }));
	const sent = opened.kind === 'opened' ? opened.sent : [];
	for (const part of sent) await stub.claimPart({ ...claimOf(part, `t${part}`, now), jobId });
	return sent;
}

/** A list whose first parts are under way. In an hour, so that no alarm rings by itself. */
async function longJob() {
	const account = await openAccount(1_000);
	const start = account.start + HOUR_MS;
	account.clock.now = start;
	const sent = await begin(account, 'job_1', PARTS_IN_FLIGHT_MAX + MORE, 10, start);
	expect(sent).toEqual(times(PARTS_IN_FLIGHT_MAX));
	return { ...account, start };
}

describe('a job with more parts than may be on their way', () => {
	const given = { jobId: 'job_1', part: 3, token: 't3', until: 0 };
	test.each<[string, (opened: Opened, now: number) => Promise<unknown>]>([
		['ends', ({ stub }, now) => stub.settlePart(settlementOf(3, 1, tallyOf({ deliverable: 10 }), now))],
		[
			'has to wait, though it is due before',
			({ stub }, now) => stub.settlePart({ ...settlementOf(3, 1, tallyOf({}, 10), now), dueAt: now + 1 }),
		],
		['is given back', ({ stub }, now) => stub.postponePart({ ...given, now, until: now + HOUR_MS })],
	])('sends the next one as soon as one %s, and nobody rings in vain until another ends', async (_, end) => {
		const account = await longJob();
		const { start, ring, nextAlarm } = account;
		expect(await nextAlarm()).toBeGreaterThan(start + 2);
		await end(account, start + 1);
		expect(await nextAlarm()).toBe(start + 1);
		expect(parts(await ring(start + 2))).toEqual([PARTS_IN_FLIGHT_MAX]);
		expect(await nextAlarm()).toBeGreaterThan(start + 2);
	});

	test('sends again what was lost, and no more than that', async () => {
		const { start, ring } = await longJob();
		// The consumers died: their parts are sent again, and there is still no room for others.
		expect(parts(await ring(start + LEASE_MS))).toEqual(times(PARTS_IN_FLIGHT_MAX));
	});

	test('comes to its end, every part sent once where nothing is lost', async () => {
		const { stub, start, ring, nextAlarm } = await longJob();
		const sent: number[] = [];
		let now = start;
		for (const part of times(PARTS_IN_FLIGHT_MAX + MORE)) {
			now += 1;
			await stub.claimPart(claimOf(part, `t${part}`, now));
			await stub.settlePart(settlementOf(part, 1, tallyOf({ deliverable: 10 }), now));
			if ((await nextAlarm()) === now) sent.push(...parts(await ring(now)));
		}
		expect(sent).toEqual(times(MORE).map((n) => PARTS_IN_FLIGHT_MAX + n));
		expect(await stub.completeJob({ jobId: 'job_1', now })).toMatchObject({ status: 'completed' });
	});

	test('shows no part as stuck that waits for room', async () => {
		const { stub, start } = await longJob();
		const seen = await stub.inspectJob({ jobId: 'job_1', now: start + HOUR_MS });
		const stuck = (seen?.parts ?? []).filter((part) => part.stuck);
		expect(stuck.map(({ part }) => part)).toEqual(times(PARTS_IN_FLIGHT_MAX));
	});
});

describe('an account with more parts than may be on their way', () => {
	test('sends what comes later as room becomes, first of the list with the fewest under way', async () => {
		const account = await longJob();
		const { stub, start, ring } = account;
		expect(await begin(account, 'job_2', 60, 1, start + 1)).toEqual(times(PARTS_IN_FLIGHT_MAX));
		expect(await begin(account, 'job_3', 60, 1, start + 2)).toEqual([]);
		// Small jobs have room of their own.
		expect(await begin(account, 'small_1', 5, 9, start + 2)).toEqual(times(5));
		expect(await ring(start + 30_002)).toEqual([]);
		const now = start + 30_003;
		await stub.settlePart(settlementOf(3, 1, tallyOf({ deliverable: 10 }), now));
		expect(await ring(now)).toMatchObject([{ jobId: 'job_3', part: 0 }]);
	});

	test.each<[string, (opened: Opened, now: number) => Promise<unknown>]>([
		['is finished early', ({ stub }, now) => stub.finishJob({ jobId: 'job_1', now })],
		['fails', ({ stub }, now) => stub.failJob({ jobId: 'job_1', now, error: 'Its input is gone' })],
		[
			'is damaged and ended',
			async ({ stub }, now) => {
				await sqlIn(stub, "UPDATE jobs SET timing = 'no JSON' WHERE jobId = 'job_1'");
				return stub.endDamaged({ jobId: 'job_1', now });
			},
		],
	])('sends the next ones at once where a job %s', async (_, end) => {
		const account = await longJob();
		const { start, ring, nextAlarm } = account;
		await begin(account, 'job_2', 60, 1, start + 1);
		await begin(account, 'job_3', 60, 1, start + 2);
		await end(account, start + 3);
		expect(await nextAlarm()).toBe(start + 3);
		const sent = await ring(start + 3);
		expect(sent.filter(({ jobId }) => jobId === 'job_3').length).toBeGreaterThan(0);
	});

	test('keeps so many consumers busy with small jobs, and lists go on beside them', async () => {
		const account = await openAccount(1_000);
		const { stub, start, ring } = account;
		const jobs = times(PARTS_OF_ACCOUNT_MAX.small + 1).map((n) => `small_${n}`);
		const sent = [];
		for (const jobId of jobs) sent.push((await begin(account, jobId, 1, 1, start + HOUR_MS)).length);
		expect(sent).toEqual([...jobs.slice(1).map(() => 1), 0]);
		expect(await begin(account, 'long', 1, 60, start + HOUR_MS)).toEqual([0]);
		const now = start + HOUR_MS + 1;
		const settled = settlementOf(0, 1, tallyOf({ deliverable: 1 }), now);
		await stub.settlePart({ ...settled, jobId: jobs[0] ?? '' });
		expect(await ring(now)).toMatchObject([{ jobId: jobs.at(-1) }]);
	});
});
