import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/time.ts';
import { admissionOf, jobOf, openAccount, settlementOf, tallyOf } from '../support/account-jobs.ts';

// What an account may have for nothing: so many unknowns a day.

const GRANTED = 999;
const PER_DAY = 1_000;

async function openOne() {
	const opened = await openAccount(GRANTED);
	const { stub, start, clock } = opened;
	let calls = 0;
	const admitted = async (outcome: 'unknown' | 'deliverable' | 'failed', now: number, free = 0) => {
		calls += 1;
		const admission = await stub.admit(admissionOf(`ver_${calls}`, now));
		// However often it is told.
		for (let n = 0; n < 2; n += 1)
			await stub.settle({ reservation: { id: `ver_${calls}`, at: now }, outcome, free, now });
		return admission.kind === 'admitted' ? admission : null;
	};
	const call = async (outcome: 'unknown' | 'deliverable', now = start, recipients = 1) =>
		(await admitted(outcome, now, outcome === 'unknown' ? recipients : 0))?.mayAsk;
	/** Until when the account pays for the answer to a call. */
	const paysUntil = async (now = start) => (await admitted('failed', now))?.payer?.paysUntil;
	const left = async (now = start): Promise<number | undefined> => {
		calls += 1;
		clock.now = now;
		const jobId = `left_${calls}`;
		await stub.openJob(jobOf(now, [1], { jobId }));
		const claim = await stub.claimPart({ jobId, part: 0, token: 'look', now, leaseMs: 1 });
		await stub.failJob({ jobId, now, error: 'only looked' });
		return claim.kind === 'claimed' ? claim.freeAnswersLeft : undefined;
	};
	/** A job of one part, all of it unknown. */
	const job = async (jobId: string, count: number, free: number, now = start) => {
		await stub.openJob(jobOf(now, [count], { jobId }));
		const settled = { ...settlementOf(0, 1, { ...tallyOf({ unknown: count }), free }, now), jobId };
		for (let n = 0; n < 2; n += 1) await stub.settlePart(settled);
		await stub.completeJob({ jobId, now });
		await stub.settlePart(settled);
	};
	return { ...opened, call, paysUntil, left, job };
}

describe('answers that cost nothing', () => {
	test('are counted once each, in calls and in lists, however often they are reported', async () => {
		const { stub, start, call, left, job } = await openOne();
		await call('unknown');
		await call('unknown');
		expect(await left()).toBe(PER_DAY - 2);
		await job('job_1', 10, 7);
		expect(await left()).toBe(PER_DAY - 9);
		// Of a part as its attempts are stored; a late one adds nothing.
		await stub.openJob(jobOf(start, [10], { jobId: 'job_2' }));
		for (const [attempt, unknown, free] of [
			[1, 4, 4],
			[2, 7, 6],
			[1, 4, 4],
		] as const) {
			const tally = { ...tallyOf({ unknown }, 10 - unknown), free };
			await stub.settlePart({ jobId: 'job_2', part: 0, attempt, tally, now: start, dueAt: start });
		}
		expect(await left()).toBe(PER_DAY - 15);
	});

	test('are counted by their recipients, and while those are most of what the account asks, it has a time to pay in', async () => {
		const { call, paysUntil, left, start } = await openOne();
		expect(await paysUntil()).toBe(undefined);
		await call('unknown', start, 10);
		expect([await paysUntil(), await left()]).toEqual([undefined, PER_DAY - 10]);
		await call('unknown', start, 4);
		// Longer than any answer takes: one that decides is paid for.
		expect([await paysUntil(), await left()]).toEqual([start + DAY_MS, PER_DAY - 14]);
		// One credit for five recipients.
		await call('deliverable');
		expect([await paysUntil(), await left()]).toEqual([undefined, PER_DAY - 13]);
		await call('unknown', start, 2);
		expect([await paysUntil(), await paysUntil(start + DAY_MS)]).toEqual([start + DAY_MS, undefined]);
	});

	test('have a ceiling a day, after which only a charged answer buys another question', async () => {
		const { call, left, job, start } = await openOne();
		await job('job_1', GRANTED, GRANTED);
		expect(await call('unknown')).toBe(true);
		expect(await left()).toBe(0);
		expect(await call('deliverable')).toBe(false);
		expect(await left()).toBe(1);
		expect(await call('unknown')).toBe(true);
		expect(await call('unknown')).toBe(false);
		expect(await left(start + DAY_MS)).toBe(PER_DAY);
	});
});
