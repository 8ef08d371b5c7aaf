import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { MINUTE_MS } from '../../src/lib/time.ts';
import {
	KEY,
	admitCall,
	asking,
	LEASE_MS,
	claimOf,
	jobOf,
	keyOf,
	openAccount,
	settlementOf,
	tallyOf,
} from '../support/account-jobs.ts';
import { openLedger, readLedger } from '../support/ledger-lines.ts';

// What the owner of an account does at the dashboard: the ledger, usage; and its end.

async function blobsLeft(): Promise<string[]> {
	return (await env.BLOBS.list({ prefix: 'jobs/job_desk_' })).objects.map(({ key }) => key);
}

test('the ledger tells each line by what became of its credits', async () => {
	const { stub, start, verify } = await openLedger(20);
	await verify('good', start + 1, 'deliverable');
	await verify('dark', start + 2, 'unknown');
	await verify('ours', start + 3, 'failed');
	await verify('open', start + 4, null);
	await stub.grant({ id: 'correction', credits: -2, now: start + 5 });
	await stub.openJob(jobOf(start + 6, [3, 2], { name: 'July' }));
	await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 2, unknown: 1 }), start + 7));
	const { entries, balance } = await stub.listLedger({ before: null, pageSize: 50 });
	const none = { charged: 0, refunded: 0, released: 0, reserved: 0, change: 0 };
	const job = { name: 'July', credits: 5, charged: 2, refunded: 1, reserved: 2, change: -2 };
	const good = { charged: 1, outcome: 'deliverable', keyId: KEY.id, keyLabel: KEY.label, change: -1 };
	expect(entries).toMatchObject([
		{ ...none, id: 'job_1', kind: 'job', ...job },
		{ ...none, id: 'correction', kind: 'adjustment', credits: -2, change: -2 },
		{ ...none, id: 'ours', name: null, released: 1, outcome: 'failed' },
		{ ...none, id: 'dark', refunded: 1, outcome: 'unknown' },
		{ ...none, id: 'good', ...good },
		{ ...none, id: 'initial grant', kind: 'grant', credits: 20, keyId: null, change: 20 },
	]);
	expect(balance).toMatchObject({ balance: 15, reservedCredits: 3, availableCredits: 12 });
});

test('a suspended account asks nobody any more: what has no answer is refunded, whoever still works on it', async () => {
	const { stub, start, balance, nextAlarm } = await openAccount(9);
	await stub.openJob(jobOf(start, [2, 2]));
	await stub.openJob(jobOf(start, [1], { jobId: 'task_1', kind: 'catchall', sourceJobId: 'job_1' }));
	const claim = { ...claimOf(1, 'at work', start), leaseMs: LEASE_MS };
	expect((await stub.claimPart(claim)).kind).toBe('claimed');
	await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 2 }), start + 1));
	await stub.suspend({ at: start + 2 });
	await stub.suspend({ at: start + 3 });
	expect(await balance()).toMatchObject({ totalConsumed: 2, reservedCredits: 0 });
	expect(await stub.renewPart({ ...claim, now: start + 4 })).toBe(false);
	await stub.settlePart(settlementOf(1, 1, tallyOf({ deliverable: 2 }), start + 4));
	for (const jobId of ['job_1', 'task_1'])
		expect((await stub.completeJob({ jobId, now: start + 5 })).status).toBe('completed');
	expect(await balance()).toMatchObject({ totalConsumed: 2, reservedCredits: 0 });
	expect(await nextAlarm()).not.toBeNull();
	const late = await stub.openJob(jobOf(start + 6, [1], { jobId: 'let in before' }));
	expect(late.kind).toBe('insufficient_credits');
});

describe('a closed account', () => {
	test('has no keys, no credits and no words of its owner; its ledger adds up', async () => {
		const { stub, start, balance } = await openAccount(10);
		const idempotency = { key: 'my invoice', fingerprint: 'f' };
		const callback = { url: 'https://aunt.example/', secret: 'sealed' };
		await stub.openJob(jobOf(start, [3], { name: 'Aunt Ada', idempotency, callback }));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1 }, 2), start + 1));
		await stub.close({ now: start + 2 });
		await stub.close({ now: start + 3 });
		for (const by of [{}, BY_DASHBOARD])
			expect((await stub.admit(asking(start, by))).kind).toBe('unauthenticated');
		expect(await stub.createKey({ key: keyOf(1), now: start })).toEqual({ kind: 'shut' });
		expect((await stub.show()).keys).toMatchObject([{ label: '', revoked: true, revokedAt: start + 2 }]);
		const ended = { status: 'failed', name: null, creditsReserved: 0, callbackUrl: null };
		expect(await stub.findJob('job_1')).toMatchObject(ended);
		expect(await stub.callbackSecret()).toBeNull();
		expect(await stub.claimPart(claimOf(0, 't', start + 3))).toEqual({ kind: 'gone' });
		expect(await balance()).toMatchObject({ balance: 0, totalConsumed: 1, totalPurchased: 1 });
		const entries = await readLedger(stub, 10);
		expect(entries.map(({ kind, change }) => [kind, change])).toEqual([
			['adjustment', -9],
			['job', -1],
			['grant', 10],
		]);
		expect((await stub.openJob(jobOf(start + 4, [1], { jobId: 'job_2' }))).kind).toBe('insufficient_credits');
	});

	test('begins nothing more: not with a credit that comes back late, not what costs nothing', async () => {
		const { stub, start } = await openAccount(2);
		const late = await admitCall(stub, 'late', start);
		await stub.close({ now: start + 1 });
		await late.settle('unknown', start + 2);
		expect((await stub.openJob(jobOf(start + 3, [1]))).kind).toBe('insufficient_credits');
		const empty = jobOf(start + 3, [], { jobId: 'cat_1', kind: 'catchall', name: 'Aunt Ada' });
		expect((await stub.openJob(empty)).kind).toBe('insufficient_credits');
		expect(await stub.findJob('cat_1')).toBeNull();
	});

	test.each(['unknown', 'deliverable', null] as const)(
		'has no credit left of a call that was under way: %s',
		async (outcome) => {
			const { stub, start, balance, ring } = await openAccount(2);
			const late = await admitCall(stub, 'late', start);
			await stub.close({ now: start + 1 });
			if (outcome !== null) await late.settle(outcome, start + 2);
			await ring(start + 10 * MINUTE_MS);
			expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 0 });
			expect(await stub.check()).toEqual([]);
		},
	);

	test('has its blobs deleted by the alarm: at once, and of a job that ran, or just ended, once nobody can write any more', async () => {
		const { stub, start, ring, nextAlarm } = await openAccount(10);
		// Minutes from now, so that no alarm rings before we do.
		const closedAt = start + 3 * MINUTE_MS;
		const ends = { job_desk_done: start, job_desk_just: closedAt - 1, job_desk_ran: null };
		for (const [jobId, now] of Object.entries(ends)) {
			await stub.openJob(jobOf(start, [1], { jobId }));
			await env.BLOBS.put(`jobs/${jobId}/input`, 'ada@inbox.test');
			if (now === null) continue;
			await stub.settlePart({ ...settlementOf(0, 1, tallyOf({ risky: 1 }), now), jobId });
			await stub.completeJob({ jobId, now });
		}
		await stub.close({ now: closedAt });
		expect(await nextAlarm()).toBeLessThanOrEqual(closedAt);
		await ring(closedAt);
		expect(await blobsLeft()).toEqual(['jobs/job_desk_just/input', 'jobs/job_desk_ran/input']);
		await env.BLOBS.put('jobs/job_desk_ran/parts/0.1', 'written late');
		expect(await nextAlarm()).toBeLessThanOrEqual(closedAt + 5 * MINUTE_MS);
		await ring(closedAt + 5 * MINUTE_MS);
		expect(await blobsLeft()).toEqual([]);
	});
});
