import { describe, expect, test } from 'vitest';
import { PARTS_IN_FLIGHT_MAX } from '../../src/core/jobs/part.ts';
import {
	HOUR_MS,
	LEASE_MS,
	MINUTE_MS,
	TIMING,
	claimOf,
	jobOf,
	openAccount,
	settlementOf,
	tallyOf,
} from '../support/account-jobs.ts';

// Of one job twenty parts are on their way at a time. The Worker sends the first ones, the alarm those that follow.

const PARTS = PARTS_IN_FLIGHT_MAX + 5;
const parts = (of: readonly { readonly part: number }[]): number[] => of.map(({ part }) => part);

/** A job of one address a part, whose first parts are under way. */
async function longJob() {
	const account = await openAccount(PARTS);
	const { stub } = account;
	// In an hour, so that no alarm rings by itself.
	const start = account.start + HOUR_MS;
	await stub.openJob(
		jobOf(
			start,
			Array.from({ length: PARTS }, () => 1),
		),
	);
	for (let part = 0; part < PARTS_IN_FLIGHT_MAX; part += 1)
		await stub.claimPart(claimOf(part, `t${part}`, start));
	return { ...account, start };
}

describe('a job with more parts than may be on their way', () => {
	test('sends the next one as soon as one ends', async () => {
		const { stub, start, ring, nextAlarm } = await longJob();
		expect(await nextAlarm()).toBeGreaterThan(start + 1);
		await stub.settlePart(settlementOf(3, 1, tallyOf({ deliverable: 1 }), start + 1));
		expect(await nextAlarm()).toBe(start + 1);
		expect(parts(await ring(start + 1))).toEqual([PARTS_IN_FLIGHT_MAX]);
		expect(await nextAlarm()).toBeGreaterThan(start + 1);
	});

	test('sends the next one where one has to wait for later', async () => {
		const { stub, start, ring } = await longJob();
		const waits = settlementOf(3, 1, tallyOf({}, 1), start + 1);
		await stub.settlePart({ ...waits, dueAt: start + HOUR_MS });
		expect(parts(await ring(start + 1))).toEqual([PARTS_IN_FLIGHT_MAX]);
	});

	test('sends the next one where one is given back', async () => {
		const { stub, start, ring } = await longJob();
		const until = start + MINUTE_MS;
		await stub.postponePart({ jobId: 'job_1', part: 3, token: 't3', now: start + 1, until });
		expect(parts(await ring(start + 1))).toEqual([PARTS_IN_FLIGHT_MAX]);
	});

	test('lets who waited come before who was never asked only when there is room', async () => {
		const { stub, start, ring, nextAlarm } = await longJob();
		await stub.settlePart({ ...settlementOf(3, 1, tallyOf({}, 1), start + 1), dueAt: start + 2 });
		// Its room is given to the next, and nobody rings in vain until another ends.
		expect(parts(await ring(start + 2))).toEqual([PARTS_IN_FLIGHT_MAX]);
		expect(await nextAlarm()).toBeGreaterThan(start + 2);
	});

	test('sends again what was lost, and no more than that', async () => {
		const { start, ring } = await longJob();
		// All leases have run out: their parts are sent again, and there is still no room for others.
		const again = await ring(start + LEASE_MS);
		expect(parts(again).toSorted((a, b) => a - b)).toEqual(
			Array.from({ length: PARTS_IN_FLIGHT_MAX }, (_, n) => n),
		);
	});

	test('comes to its end, every part sent once where nothing is lost', async () => {
		const { stub, start, ring, nextAlarm, balance } = await longJob();
		const sent: number[] = [];
		let now = start;
		for (let part = 0; part < PARTS; part += 1) {
			now += 1;
			await stub.claimPart(claimOf(part, `t${part}`, now));
			await stub.settlePart(settlementOf(part, 1, tallyOf({ deliverable: 1 }), now));
			if ((await nextAlarm()) === now) sent.push(...parts(await ring(now)));
		}
		expect(sent).toEqual(
			Array.from({ length: PARTS - PARTS_IN_FLIGHT_MAX }, (_, n) => PARTS_IN_FLIGHT_MAX + n),
		);
		expect(await stub.completeJob({ jobId: 'job_1', now })).toMatchObject({ status: 'completed' });
		expect(await balance()).toMatchObject({ totalConsumed: PARTS, reservedCredits: 0 });
	});

	test('shows no part as stuck that waits for room', async () => {
		const { stub, start } = await longJob();
		const { parts: seen } = (await stub.inspectJob({ jobId: 'job_1', now: start + HOUR_MS })) ?? {
			parts: [],
		};
		expect(seen.filter(({ stuck }) => stuck).map(({ part }) => part)).toEqual(
			Array.from({ length: PARTS_IN_FLIGHT_MAX }, (_, n) => n),
		);
	});
});

test('a claim tells until when its rows may wait for our capacity', async () => {
	const { stub, start } = await openAccount(20);
	const horizonMs = 7 * HOUR_MS;
	await stub.openJob(jobOf(start, [1], { timing: { ...TIMING, horizonMs } }));
	expect(await stub.claimPart(claimOf(0, 't', start))).toMatchObject({ horizon: start + horizonMs });
});

test('a job tells which provider holds it up, whoever has claimed and given back its parts meanwhile', async () => {
	const { stub, start } = await openAccount(40);
	await stub.openJob(jobOf(start, [10, 10, 20], { operators: [null, 'google', 'google'] }));
	await stub.claimPart(claimOf(1, 't', start));
	await stub.postponePart({ jobId: 'job_1', part: 1, token: 't', now: start, until: start + 1 });
	await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 10 }), start + MINUTE_MS));
	await stub.settlePart(settlementOf(1, 1, tallyOf({ deliverable: 10 }), start + 2 * MINUTE_MS));
	expect(await stub.findJob('job_1')).toMatchObject({
		estimatedCompletionAt: start + 6 * MINUTE_MS,
		heldUpBy: { operator: 'google', open: 20, perMinute: 5 },
	});
});
