import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openOutside } from '../../src/compose.ts';
import { NO_COUNTS } from '../../src/core/jobs/stored-row.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import {
	LEASE_MS,
	TIMING,
	TTL_MS,
	claimOf,
	errorOf,
	jobOf,
	ledgerOf,
	openAccount,
	settlementOf,
	sqlIn,
	tallyOf,
} from '../support/account-jobs.ts';
import { deletedAt } from '../support/ledger-lines.ts';

describe('opening a job', () => {
	test('reserves its addresses, records it and sets the alarm', async () => {
		const { stub, start, balance, nextAlarm } = await openAccount(10);
		const opened = await stub.openJob(jobOf(start, [3, 2]));
		expect(opened).toMatchObject({
			kind: 'opened',
			job: {
				...{ jobId: 'job_1', kind: 'verification', sourceJobId: null, status: 'processing', name: 'July' },
				...{
					submitted: 8,
					accepted: 5,
					duplicates: 1,
					invalid: 2,
					parts: 2,
					processed: 0,
					counts: NO_COUNTS,
				},
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
		const { stub, start, ring } = await openAccount(10);
		await stub.openJob(jobOf(start, [4]));
		const settlement = settlementOf(0, 1, tallyOf({ risky: 1 }, 3), start);
		await stub.settlePart({ ...settlement, dueAt: start + dueAt });
		const now = start + delay;
		expect(await stub.findJob('job_1')).toMatchObject({ processed: 1, waiting: 3, nextAttemptAt: now });
		if (delay > 0) expect(await stub.claimPart(claimOf(0, 'early', now - 1))).toEqual({ kind: 'held' });
		expect(await ring(now)).toEqual([expect.objectContaining({ jobId: 'job_1', part: 0 })]);
		expect(await sqlIn(stub, 'SELECT nextAt FROM parts')).toEqual([{ nextAt: now + TIMING.redriveAfterMs }]);
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

describe('the end of a job', () => {
	// A deploy may change the price amid it.
	test.each([1, 3])(
		'needs every row, closes the ledger line, comes once, and costs what it was opened at: %i',
		async (price) => {
			const { stub, start, balance } = await openAccount(20);
			expect(await stub.openJob(jobOf(start, [4], { price }))).toMatchObject({
				job: { creditsReserved: 4 * price },
			});
			const early = { jobId: 'job_1', now: start };
			expect(await errorOf(stub, (account) => account.completeJob(early))).toContain('Broken promise');
			await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 3, unknown: 1 }), start + 1));
			const completed = await stub.completeJob({ jobId: 'job_1', now: start + 2 });
			expect(completed).toMatchObject({
				status: 'completed',
				completedAt: start + 2,
				updatedAt: start + 2,
				resultsExpiresAt: start + 2 + TTL_MS,
				creditsReserved: 0,
				creditsUsed: 3 * price,
				creditsRefunded: price,
			});
			expect(await stub.completeJob({ jobId: 'job_1', now: start + 99 })).toEqual(completed);
			expect(await stub.failJob({ jobId: 'job_1', now: start + 99, error: 'too late' })).toEqual(completed);
			expect(await stub.claimPart(claimOf(0, 't', start + 99))).toEqual({ kind: 'gone' });
			const late = await stub.settlePart(settlementOf(0, 2, tallyOf({ risky: 4 }), start + 99));
			expect(late).toEqual({ ready: false, held: false });
			expect(await balance()).toMatchObject({
				availableCredits: 20 - 3 * price,
				reservedCredits: 0,
				transactionCount: 2,
				lastTransactionAt: start + 2,
			});
			const [line] = await ledgerOf(stub);
			const closed = { outcome: 'completed', closedAt: start + 2 };
			expect(line).toMatchObject({ kind: 'job', credits: 4 * price, charged: 3 * price, ...closed });
			expect(await stub.usageSince('')).toMatchObject([{ usage: { credits: 3 * price } }]);
			expect(await stub.check()).toEqual([]);
		},
	);

	test('as a failure costs nothing: what was charged is refunded, what was reserved released', async () => {
		const { stub, start, balance } = await openAccount(30);
		await stub.openJob(jobOf(start, [4, 5], { price: 3 }));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 1, unknown: 1 }, 2), start));
		expect(await balance()).toMatchObject({ availableCredits: 6, totalConsumed: 3, totalRefunded: 3 });
		const failed = await stub.failJob({ jobId: 'job_1', now: start + 1, error: 'input gone' });
		expect(failed).toMatchObject({
			status: 'failed',
			error: 'input gone',
			completedAt: null,
			resultsExpiresAt: null,
			processed: 2,
			creditsReserved: 0,
			creditsUsed: 0,
			creditsRefunded: 6,
			waiting: 0,
		});
		expect(await stub.failJob({ jobId: 'job_1', now: start + 9, error: 'again' })).toEqual(failed);
		expect(await stub.completeJob({ jobId: 'job_1', now: start + 9 })).toEqual(failed);
		const late = await stub.settlePart(settlementOf(1, 1, tallyOf({ risky: 5 }), start + 9));
		expect(late).toEqual({ ready: false, held: false });
		expect(await balance()).toMatchObject({
			availableCredits: 30,
			reservedCredits: 0,
			totalConsumed: 0,
			totalRefunded: 6,
		});
		const [line] = await ledgerOf(stub);
		expect(line).toMatchObject({ kind: 'job', credits: 27, charged: 0, outcome: 'failed' });
		// The key is charged for nothing either; its answers were given.
		const { keys } = await stub.show();
		expect(keys[0]?.usage).toMatchObject({ credits: 0, outcomes: { risky: 1, unknown: 1 } });
		expect(await stub.check()).toEqual([]);
	});

	test('keeps the Idempotency-Key for 48 hours more', async () => {
		const { stub, start, ring, nextAlarm } = await openAccount(20);
		const timing = { ...TIMING, resultsTtlMs: HOUR_MS };
		const requestOf = (jobId: string, now: number) =>
			jobOf(now, [4], { jobId, timing, idempotency: { key: 'k', fingerprint: 'f' } });
		await stub.openJob(requestOf('job_1', start));
		await ring(start + 400 * HOUR_MS);
		const end = start + 500 * HOUR_MS;
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 4 }), end));
		await stub.completeJob({ jobId: 'job_1', now: end });
		await ring(end + HOUR_MS);
		await ring(end + TTL_MS - 1);
		expect(await stub.openJob(requestOf('job_2', end + TTL_MS - 1))).toMatchObject({ kind: 'replay' });
		// It ends on the hour, so that one alarm forgets all that ends within it.
		const forgottenAt = Math.ceil((end + TTL_MS) / HOUR_MS) * HOUR_MS;
		expect(await nextAlarm()).toBe(forgottenAt);
		await ring(forgottenAt);
		expect(await stub.openJob(requestOf('job_3', forgottenAt))).toMatchObject({ kind: 'opened' });
	});
});

describe('the alarm', () => {
	test('sends the parts that nobody has worked on, ever more rarely, and not those that are in hand', async () => {
		const { accountId, stub, start, ring, nextAlarm } = await openAccount(10);
		await stub.openJob(jobOf(start, [1, 1, 1]));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 1 }), start));
		await stub.claimPart(claimOf(1, 't', start));
		const message = (part: number) => ({ accountId, jobId: 'job_1', part });
		expect(await ring(start + 29_999)).toEqual([]);
		expect(await nextAlarm()).toBe(start + 30_000);
		expect(await ring(start + 30_000)).toEqual([message(2)]);
		expect(await nextAlarm()).toBe(start + 90_000);
		expect(await ring(start + 90_000)).toEqual([message(2)]);
		// The lease of the other has ended.
		expect(await nextAlarm()).toBe(start + LEASE_MS);
		expect(await ring(start + LEASE_MS)).toEqual([message(1)]);
	});

	test('goes on after an error of its own', async () => {
		const { stub, start, ring, nextAlarm } = await openAccount(10);
		await stub.openJob(jobOf(start, [1]));
		await sqlIn(stub, 'ALTER TABLE idempotency RENAME TO elsewhere');
		expect(await ring(start + 30_000)).toEqual([]);
		expect(await nextAlarm()).toBeGreaterThanOrEqual(start + 90_000);
		await sqlIn(stub, 'ALTER TABLE elsewhere RENAME TO idempotency');
		expect(await ring(start + 100_000)).toHaveLength(1);
	});

	test('goes on where an endpoint is damaged', async () => {
		const { stub, start, ring } = await openAccount(10);
		await stub.openJob(jobOf(start, [1]));
		const [webhookId, url] = ['whk_1', 'https://shop.example/'];
		await stub.addWebhook({ webhookId, url, events: ['job.completed'], secret: 'sealed', now: start });
		await sqlIn(stub, "UPDATE endpoints SET events = 'no JSON'");
		expect(await ring(start + 30_000)).toHaveLength(1);
		await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1 }), start));
		expect(await stub.completeJob({ jobId: 'job_1', now: start })).toMatchObject({ status: 'completed' });
	});

	test.each(['completed', 'failed'] as const)(
		'deletes the blobs of a %s job and keeps its record',
		async (end) => {
			let isOut = false;
			const { stub, start, ring, nextAlarm } = await openAccount(10, undefined, null, ({ outside }) => ({
				deleteBlobs: (...about) => (isOut ? Promise.reject(new Error('out')) : outside.deleteBlobs(...about)),
			}));
			const jobId = `job_blobs_${end}`;
			const keys = Array.from({ length: 1001 }, (_, index) => `jobs/${jobId}/parts/${index}`);
			const neighbour = `jobs/${jobId}0/input`;
			await Promise.all([...keys, neighbour].map((key) => env.BLOBS.put(key, 'x')));
			const left = async () => (await env.BLOBS.list({ prefix: `jobs/${jobId}` })).objects.length;
			await stub.openJob(jobOf(start, [4], { jobId }));
			const settled = { ...settlementOf(0, 1, tallyOf({ risky: 4 }), start), jobId };
			if (end === 'completed') await stub.settlePart(settled);
			const record =
				end === 'completed'
					? await stub.completeJob({ jobId, now: start })
					: await stub.failJob({ jobId, now: start, error: 'input gone' });
			await ring(start + TTL_MS - 1);
			expect(await left()).toBe(1000);
			isOut = true;
			await ring(start + TTL_MS);
			expect(await left()).toBe(1000);
			isOut = false;
			expect(await nextAlarm()).toBe(start + TTL_MS + MINUTE_MS);
			await ring(start + TTL_MS + MINUTE_MS);
			const rest = await env.BLOBS.list({ prefix: `jobs/${jobId}` });
			expect(rest.objects.map(({ key }) => key)).toEqual([neighbour]);
			await ring(start + TTL_MS + 2 * MINUTE_MS);
			// Nothing but the deletion of its lines.
			expect(await nextAlarm()).toBe(deletedAt(start, 400 * DAY_MS));
			expect(await stub.findJob(jobId)).toEqual(record);
		},
	);
});

test('messages go out a hundred at a time, none left behind', async () => {
	const [lists, tasks]: [unknown[][], unknown[][]] = [[], []];
	const queueOf = (batches: unknown[][]) => {
		const sendBatch = async (messages: Iterable<{ body: unknown }>) =>
			void batches.push([...messages].map(({ body }) => body));
		return { sendBatch } as unknown as Queue;
	};
	const outside = openOutside({ ...env, VERIFY_QUEUE: queueOf(lists), CATCHALL_QUEUE: queueOf(tasks) });
	const messages = Array.from({ length: 201 }, (_, part) => ({ accountId: 'acc_1', jobId: 'job_1', part }));
	await outside.sendParts('VERIFY_QUEUE', []);
	await outside.sendParts('VERIFY_QUEUE', messages);
	await outside.sendParts('CATCHALL_QUEUE', messages.slice(0, 1));
	expect(lists.map(({ length }) => length)).toEqual([100, 100, 1]);
	expect(lists.flat()).toEqual(messages);
	expect(tasks).toEqual([messages.slice(0, 1)]);
});
