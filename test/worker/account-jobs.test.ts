import { describe, expect, test } from 'vitest';
import { NONE, TIMING, claimOf, jobOf, openAccount, settlementOf, tallyOf } from '../support/account-jobs.ts';

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
});

test('a lease can be given back until later, by its holder alone', async () => {
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
