import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { KEY, admitCall, errorOf, jobOf, settlementOf, sqlIn, tallyOf } from '../support/account-jobs.ts';
import { deletedAt, openLedger, verifyMany } from '../support/ledger-lines.ts';

// The life of a ledger's lines: their cost, and their deletion once they are too old.

test('a line costs two rows more for each key of the day before, with the first event of a day', async () => {
	const { start, verify, rowsOf } = await openLedger(20);
	const midnight = start - (start % DAY_MS) + DAY_MS;
	expect(await rowsOf(() => verify('first', midnight, 'deliverable'))).toBe(2);
	expect(await rowsOf(() => verify('second', midnight + 1, 'deliverable'))).toBe(2);
	expect(await rowsOf(() => verify('next', midnight + DAY_MS, 'deliverable'))).toBe(4);
});

describe('a line that is too old', () => {
	test('stays until its whole day is, and all that the ledger says of the others stays true', async () => {
		const opened = await openLedger(20);
		const { stub, start, ring, ringOut, heldIds, balance, nextAlarm } = opened;
		const first = start - (start % DAY_MS) + 5 * DAY_MS;
		await verifyMany(opened, 2, first, 'a');
		await verifyMany(opened, 2, first + DAY_MS, 'b');
		const before = await balance();
		await ringOut(first + 2 * DAY_MS);
		expect(await nextAlarm()).toBe(deletedAt(start));
		await ringOut(deletedAt(start));
		expect(await nextAlarm()).toBe(deletedAt(first));
		await ring(deletedAt(first) - 1);
		expect(await heldIds()).toEqual(['a0', 'a1', 'b0', 'b1']);
		await ring(deletedAt(first));
		expect(await heldIds()).toEqual(['b0', 'b1']);
		await ringOut(deletedAt(first + DAY_MS));
		expect(await heldIds()).toEqual([]);
		expect(await balance()).toEqual(before);
		expect(await stub.check()).toEqual([]);
		// Nothing is left to be done.
		expect(await nextAlarm()).toBeNull();
	});

	test('is deleted 5,000 at a time, and the books add up meanwhile', async () => {
		const { stub, start, ring, ringOut, held } = await openLedger(20_000);
		const at = start + DAY_MS;
		await sqlIn(
			stub,
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
				INSERT INTO ledger (at, id, kind, keyId, credits, charged, outcome, closedAt)
				SELECT ?1 + i, 'l' || i, 'verification', ?2, 1, 1, 'risky', ?1 + i FROM n`,
			at,
			KEY.id,
		);
		await sqlIn(stub, 'UPDATE account SET consumed = 12000');
		await ring(deletedAt(at));
		const left = await held();
		expect(left).toHaveLength(7_001);
		expect(await stub.check()).toEqual([]);
		await ringOut(deletedAt(at));
		expect(await held()).toEqual([]);
		expect(await stub.check()).toEqual([]);
	});

	test('stays with its day and all later ones while a job of that day runs', async () => {
		const opened = await openLedger(20, DAY_MS);
		const { stub, start, verify, ringOut, heldIds } = opened;
		const first = start - (start % DAY_MS) + 5 * DAY_MS;
		await verify('day before', first - 1, 'deliverable');
		await verify('before', first, 'deliverable');
		const timing = { ...jobOf(0, [1]).timing, redriveAfterMs: 30 * DAY_MS };
		await stub.openJob(jobOf(first + 1, [3], { timing }));
		await verify('after', first + DAY_MS, 'deliverable');
		const now = first + 9 * DAY_MS;
		await ringOut(now);
		expect(await heldIds()).toEqual(['before', 'job_1', 'after']);
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 2, unknown: 1 }), now));
		await stub.completeJob({ jobId: 'job_1', now });
		await ringOut(now + DAY_MS);
		expect(await heldIds()).toEqual([]);
	});

	test('is settled, refunded and granted again without effect', async () => {
		const { stub, start, ringOut, verify, balance, held } = await openLedger(20);
		const first = start + DAY_MS;
		await verify('good', first, 'deliverable');
		await verify('dark', first + 1, 'unknown');
		await stub.grant({ id: 'invoice', credits: 5, now: first + 2 });
		const now = deletedAt(first);
		await ringOut(now);
		expect(await held()).toEqual([]);
		const before = await balance();
		for (const outcome of ['deliverable', 'unknown', 'failed'] as const)
			for (const [id, at] of [
				['good', first],
				['dark', first + 1],
			] as const)
				expect(await stub.settle({ reservation: { id, at }, outcome, now })).toEqual({
					answer: null,
					charged: 0,
					balance: before,
				});
		expect((await stub.grant({ id: 'invoice', credits: 5, now })).kind).toBe('repeated');
		expect((await stub.grant({ id: 'invoice', credits: 6, now })).kind).toBe('mismatch');
		expect(await (await admitCall(stub, 'good', first)).settle('deliverable')).toMatchObject({ charged: 0 });
		for (const call of [
			(account: Account) => account.grant({ id: 'late', credits: 1, now: first }),
			(account: Account) => account.openJob(jobOf(first, [1])),
		])
			expect(await errorOf(stub, call)).toContain('no line is added among deleted lines');
		// A call that was never admitted, at a time whose lines are there, is our mistake.
		const unknown = { reservation: { id: 'nobody', at: now }, outcome: 'unknown', now } as const;
		expect(await errorOf(stub, (account) => account.settle(unknown))).toContain('was admitted here');
		expect(await balance()).toEqual(before);
	});
});
