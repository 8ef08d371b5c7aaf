import { describe, expect, test } from 'vitest';
import {
	LEASE_MS,
	TIMING,
	claimOf,
	jobOf,
	openAccount,
	settlementOf,
	tallyOf,
} from '../support/account-jobs.ts';

// A part between two attempts: what waits, until when, and whose the part is.

describe('settling a part', () => {
	test.each([
		['the time that the stored attempt says', 7_000, 7_000],
		['at once where that has passed', -1, 0],
	])('puts deferred addresses off until %s', async (_, dueAt, delay) => {
		const { stub, start, ring, nextAlarm } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		const settlement = settlementOf(0, 1, tallyOf({ risky: 1 }, 3), start);
		const { job } = await stub.settlePart({ ...settlement, dueAt: start + dueAt });
		const now = start + delay;
		expect(job).toMatchObject({ processed: 1, waiting: 3, nextAttemptAt: now });
		if (delay > 0) expect(await stub.claimPart(claimOf(0, 'early', now - 1))).toEqual({ kind: 'held' });
		expect(await ring(now)).toEqual([expect.objectContaining({ jobId: 'job_1', part: 0 })]);
		expect(await nextAlarm()).toBe(now + TIMING.redriveAfterMs);
		expect(await stub.claimPart(claimOf(0, 'next', now))).toEqual({
			kind: 'claimed',
			jobKind: 'verification',
			rescuesCatchAll: false,
			attempt: 2,
			abandoned: false,
			count: 4,
			retryDelaysMs: TIMING.retryDelaysMs,
			horizon: expect.any(Number),
			silentSince: start,
			isSmall: true,
			freeAnswersLeft: expect.any(Number),
			payer: { isTrial: false, owner: undefined },
		});
	});

	test('meanwhile leaves it to its consumer, charges what is final, and shows it', async () => {
		const { stub, start, balance } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		await stub.claimPart(claimOf(0, 'a', start));
		const holder = { token: 'a', leaseMs: LEASE_MS };
		const half = settlementOf(0, 1, tallyOf({ deliverable: 1, unknown: 1 }, 2), start + 5);
		const settled = await stub.settlePart({ ...half, dueAt: 0, holder });
		expect(settled).toMatchObject({ held: true, ready: false, job: { processed: 2, waiting: 0 } });
		expect(await stub.settlePart({ ...half, dueAt: 0, holder })).toEqual(settled);
		expect(await balance()).toMatchObject({ reservedCredits: 2, totalConsumed: 1, totalRefunded: 1 });
		expect(await stub.claimPart(claimOf(0, 'b', start + 6))).toEqual({ kind: 'held' });
		const whole = settlementOf(0, 2, tallyOf({ deliverable: 3, unknown: 1 }), start + 9);
		expect(await stub.settlePart(whole)).toMatchObject({ held: false, ready: true });
		expect(await balance()).toMatchObject({ reservedCredits: 0, totalConsumed: 3, totalRefunded: 1 });
	});

	test('meanwhile by a consumer that has lost it tells him so', async () => {
		const { stub, start } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		await stub.claimPart(claimOf(0, 'slow', start));
		await stub.claimPart(claimOf(0, 'next', start + LEASE_MS));
		const half = settlementOf(0, 1, tallyOf({ deliverable: 2 }, 2), start + LEASE_MS);
		const settled = await stub.settlePart({ ...half, holder: { token: 'slow', leaseMs: LEASE_MS } });
		expect(settled).toMatchObject({ held: false, job: { processed: 2 } });
	});
});
