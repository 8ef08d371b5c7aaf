import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartTally } from '../../src/core/jobs/stored-row.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import {
	LEASE_MS,
	NONE,
	TIMING,
	claimOf,
	jobOf,
	openAccount,
	settlementOf,
	sumOf,
	tallyOf,
} from '../support/account-jobs.ts';

describe('opening a job', () => {
	test('reserves its addresses, records it and sets the alarm', async () => {
		const { stub, start, balance, nextAlarm } = await openAccount(10);
		const opened = await stub.openJob(jobOf(start, [3, 2]));
		expect(opened).toMatchObject({
			kind: 'opened',
			job: {
				...{ jobId: 'job_1', kind: 'verification', sourceJobId: null, status: 'processing', name: 'July' },
				...{ submitted: 8, accepted: 5, duplicates: 1, invalid: 2, parts: 2, processed: 0, counts: NONE },
				...{ creditsReserved: 5, creditsUsed: 0, creditsRefunded: 0, keyId: 'key_first', price: 1 },
				...{ waiting: 0, nextAttemptAt: null, lastDueAt: null, createdAt: start, updatedAt: start },
				...{ finishedAt: null, endedAt: null, completedAt: null, deletedAt: null, resultsExpiresAt: null },
				...{ rescuesCatchAll: false, mailWhenDone: false, timing: TIMING, error: null },
				...{ catchAllTaskId: null, againJobId: null, verdictsTaskId: null },
			},
			sent: [0, 1],
		});
		expect(await balance()).toMatchObject({ availableCredits: 5, reservedCredits: 5, transactionCount: 1 });
		expect(await nextAlarm()).toBe(start + TIMING.redriveAfterMs);
	});

	test('with as many credits as there are is possible, with one more it stores nothing', async () => {
		const { stub, start, balance, rowsOf } = await openAccount(5);
		const key = { idempotency: { key: 'k', fingerprint: 'f' } };
		const rows = await rowsOf(async () => {
			expect(await stub.openJob(jobOf(start, [3], { ...key, price: 2 }))).toEqual({
				kind: 'insufficient_credits',
				available: 5,
			});
		});
		expect(rows).toBe(0);
		expect(await stub.findJob('job_1')).toBeNull();
		expect(await stub.openJob(jobOf(start, [5], key))).toMatchObject({ kind: 'opened' });
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 5 });
		expect(await stub.claimPart(claimOf(1, 't', start))).toEqual({ kind: 'gone' });
	});

	test('again with its key answers the first response, with another request it is a mismatch', async () => {
		const { stub, start, balance } = await openAccount(10);
		const requestOf = (jobId: string, fingerprint: string) =>
			jobOf(start, [4], { jobId, requestId: `for ${jobId}`, idempotency: { key: 'k', fingerprint } });
		const opened = await stub.openJob(requestOf('job_1', 'f'));
		const { response } = opened.kind === 'opened' ? opened : { response: '' };
		expect(JSON.parse(response)).toMatchObject({
			data: { jobId: 'job_1', status: 'processing', totalEmails: 4, estimatedCompletionAt: null },
			meta: { requestId: 'for job_1', acceptedEmails: 4, rejectedEmails: 3 },
		});
		expect(await stub.openJob(requestOf('job_2', 'f'))).toEqual({ kind: 'replay', jobId: 'job_1', response });
		expect(await stub.openJob(requestOf('job_3', 'g'))).toEqual({ kind: 'mismatch' });
		expect(await balance()).toMatchObject({ reservedCredits: 4 });
	});

	test('repeated with its own id is told "opened" again: "replay" would have its input deleted', async () => {
		const { stub, start, balance, rowsOf } = await openAccount(10);
		const request = jobOf(start, [4], { requestId: 'req_1', idempotency: { key: 'k', fingerprint: 'f' } });
		const first = await stub.openJob(request);
		expect(await rowsOf(async () => expect(await stub.openJob(request)).toEqual(first))).toBe(0);
		expect(await balance()).toMatchObject({ reservedCredits: 4 });
	});
});

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

	test('twice, late or with a lower attempt changes nothing and writes nothing', async () => {
		const { stub, start, balance, rowsOf } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 1 }, 3), start));
		const two = await stub.settlePart(settlementOf(0, 2, tallyOf({ risky: 1, unknown: 3 }), start + 9));
		const before = await balance();
		const rows = await rowsOf(async () => {
			const other = tallyOf({ deliverable: 4 });
			expect(await stub.settlePart(settlementOf(0, 2, other, start + 20))).toEqual(two);
			expect(await stub.settlePart(settlementOf(0, 1, other, start + 30))).toEqual(two);
		});
		expect(rows).toBe(0);
		expect(await balance()).toEqual(before);
	});

	test('in any order, with repetitions and deaths, counts every address once', async () => {
		const step = fc.oneof(
			fc.record({ do: fc.constant('claim' as const), part: fc.nat({ max: 2 }), dies: fc.boolean() }),
			fc.record({ do: fc.constant('repeat' as const), which: fc.nat() }),
			fc.record({ do: fc.constant('evict' as const) }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
				const { stub, start, balance, evict } = await openAccount(12);
				await stub.openJob(jobOf(start, [4, 4, 4]));
				let now = start;
				const stored: Parameters<typeof stub.settlePart>[0][] = [];
				const tallies = new Map<number, PartTally>();
				const play = async (part: number, dies: boolean): Promise<void> => {
					now += LEASE_MS;
					const claim = await stub.claimPart(claimOf(part, `t${now}`, now));
					if (claim.kind !== 'claimed' || dies) return;
					const before = tallies.get(part) ?? tallyOf({}, 4);
					const ended = Math.ceil(before.deferred / 2);
					const status = claim.attempt % 2 === 0 ? ('unknown' as const) : ('risky' as const);
					const counts = { ...before.counts, [status]: before.counts[status] + ended };
					const tally = { counts, deferred: before.deferred - ended, free: 0 };
					tallies.set(part, tally);
					const settlement = { ...settlementOf(part, claim.attempt, tally, now), dueAt: now };
					stored.push(settlement);
					await stub.settlePart(settlement);
				};
				const check = async (): Promise<void> => {
					const used = sumOf([...tallies.values()], 'risky');
					const refunded = sumOf([...tallies.values()], 'unknown');
					expect(await stub.findJob('job_1')).toMatchObject({
						processed: used + refunded,
						creditsReserved: 12 - used - refunded,
						creditsUsed: used,
						creditsRefunded: refunded,
					});
					expect(await balance()).toMatchObject({
						reservedCredits: 12 - used - refunded,
						totalConsumed: used,
						totalRefunded: refunded,
					});
				};
				for (const action of steps) {
					if (action.do === 'claim') await play(action.part, action.dies);
					const again = action.do === 'repeat' ? stored[action.which % stored.length] : undefined;
					if (again !== undefined) await stub.settlePart({ ...again, now });
					if (action.do === 'evict') await evict();
					await check();
				}
				for (let left = 12; left > 0; left -= 1) await play(left % 3, false);
				await check();
				expect(await stub.completeJob({ jobId: 'job_1', now })).toMatchObject({ processed: 12 });
				expect(await balance()).toMatchObject({ reservedCredits: 0 });
			}),
			{ numRuns: 20 },
		);
	});
});

describe('a lease', () => {
	test('can be given back until later, by its holder alone', async () => {
		const { stub, start, nextAlarm } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		const postpone = (token: string) =>
			stub.postponePart({ jobId: 'job_1', part: 0, token, now: start, until: start + 10_000 });
		await stub.claimPart(claimOf(0, 'a', start));
		await postpone('b');
		expect(await stub.findJob('job_1')).toMatchObject({ waiting: 0, nextAttemptAt: null });
		await postpone('a');
		expect(await nextAlarm()).toBe(start + 10_000);
		expect(await stub.findJob('job_1')).toMatchObject({ waiting: 4, nextAttemptAt: start + 10_000 });
		expect(await stub.claimPart(claimOf(0, 'b', start + 9_999))).toEqual({ kind: 'held' });
		expect(await stub.claimPart(claimOf(0, 'b', start + 10_000))).toMatchObject({ attempt: 1 });
	});

	test('is not for a consumer whose clock is more than an hour off, which would hold the part up for as long', async () => {
		const { stub, start } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		for (const apart of [HOUR_MS + 1, -HOUR_MS - 1])
			expect(await stub.claimPart(claimOf(0, 'odd', start + apart))).toEqual({ kind: 'held' });
		expect(await stub.claimPart(claimOf(0, 'right', start))).toMatchObject({ kind: 'claimed' });
	});
});
