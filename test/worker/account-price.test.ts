import { afterEach, expect, test } from 'vitest';
import { JOB_KINDS } from '../../src/core/jobs/kinds.ts';
import type { JobKind } from '../../src/core/jobs/kinds.ts';
import { jobOf, ledgerOf, openAccount, settlementOf, tallyOf } from '../support/account-jobs.ts';

// A price is changed by a deploy, in the middle of jobs.

const today = { verification: JOB_KINDS.verification.price, catchall: JOB_KINDS.catchall.price };
const setPrice = (prices: Partial<Record<JobKind, number>>): void => {
	for (const kind of ['verification', 'catchall'] as const)
		Object.assign(JOB_KINDS[kind], { price: prices[kind] ?? JOB_KINDS[kind].price });
};
afterEach(() => setPrice(today));

test.each([0, 1, 3])(
	'a job that was opened at %i credits an address ends at that price, whatever it is by then',
	async (price) => {
		const { stub, start, balance } = await openAccount(100);
		setPrice({ verification: price });
		expect(await stub.openJob(jobOf(start, [4, 2]))).toMatchObject({
			kind: 'opened',
			job: { accepted: 6, creditsReserved: 6 * price },
		});
		setPrice({ verification: 7 });
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 2, unknown: 1 }, 1), start));
		expect(await balance()).toMatchObject({
			reservedCredits: 3 * price,
			totalConsumed: 2 * price,
			totalRefunded: price,
		});
		expect(await stub.check()).toEqual([]);
		await stub.settlePart(settlementOf(0, 2, tallyOf({ risky: 2, unknown: 2 }), start));
		await stub.settlePart(settlementOf(1, 1, tallyOf({ deliverable: 2 }), start));
		expect(await stub.completeJob({ jobId: 'job_1', now: start + 1 })).toMatchObject({
			status: 'completed',
			creditsReserved: 0,
			creditsUsed: 4 * price,
			creditsRefunded: 2 * price,
		});
		expect((await ledgerOf(stub))[0]).toMatchObject({ credits: 6 * price, charged: 4 * price });
		expect(await balance()).toMatchObject({ availableCredits: 100 - 4 * price, reservedCredits: 0 });
		const day = new Date(start).toISOString().slice(0, 10);
		expect(await stub.usageSince(day)).toMatchObject([{ usage: { credits: 4 * price } }]);
		expect(await stub.check()).toEqual([]);
	},
);

test('a job that fails gives back all of what it took at its price', async () => {
	const { stub, start, balance } = await openAccount(100);
	setPrice({ verification: 3 });
	await stub.openJob(jobOf(start, [4]));
	setPrice(today);
	await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 2, unknown: 1 }, 1), start));
	expect(await stub.failJob({ jobId: 'job_1', now: start, error: 'input gone' })).toMatchObject({
		creditsReserved: 0,
		creditsUsed: 0,
		creditsRefunded: 9,
	});
	expect(await balance()).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
	expect(await stub.check()).toEqual([]);
});

test('a list and a task have prices of their own, and credits for the addresses alone are not enough for a dearer one', async () => {
	const { stub, start } = await openAccount(10);
	setPrice({ verification: 2, catchall: 3 });
	const task = { jobId: 'cat_1', kind: 'catchall', sourceJobId: 'job_1' } as const;
	expect(await stub.openJob(jobOf(start, [4], task))).toEqual({
		kind: 'insufficient_credits',
		available: 10,
	});
	expect(await stub.openJob(jobOf(start, [3], task))).toMatchObject({ job: { creditsReserved: 9 } });
	expect(await stub.openJob(jobOf(start, [1]))).toEqual({ kind: 'insufficient_credits', available: 1 });
});
