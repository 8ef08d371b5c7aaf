import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../src/core/credits/ledger.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { KEY, admitCall, errorOf, jobOf, settlementOf, sqlIn, tallyOf } from '../support/account-jobs.ts';
import { deletedAt, openLedger, verifyMany } from '../support/ledger-lines.ts';
import type { OpenedLedger } from '../support/ledger-lines.ts';

// The life of a ledger's lines: their cost, and their deletion once they are too old.

test('a line costs two rows more for each key of the day before, with the first event of a day', async () => {
	const { start, verify, rowsOf } = await openLedger(20);
	const midnight = start - (start % DAY_MS) + DAY_MS;
	expect(await rowsOf(() => verify('first', midnight, 'deliverable'))).toBe(2);
	expect(await rowsOf(() => verify('second', midnight + 1, 'deliverable'))).toBe(2);
	expect(await rowsOf(() => verify('next', midnight + DAY_MS, 'deliverable'))).toBe(4);
});

test('an account whose row contradicts itself is not read', async () => {
	const { stub } = await openLedger(20);
	await sqlIn(stub, 'UPDATE account SET granted = -1');
	expect(await errorOf(stub, (account) => account.show())).toContain('Broken promise');
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

// Whatever happens to an account, its ledger adds up, page by page, with its old lines and without them.

test('pages that are read while lines are added and change have no line twice and miss none', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 4 }),
			fc.array(fc.constantFrom('add', 'read', 'ring'), { minLength: 8, maxLength: 30 }),
			async (pageSize, steps) => {
				const opened = await openLedger(50);
				const { stub, start, verify, ring, heldIds } = opened;
				await verifyMany(opened, 7, start + 1);
				const expected = await heldIds();
				const read: string[] = [];
				let before: LedgerPlace | null = null;
				let now = start + 9 * MINUTE_MS;
				const readPage = async () => {
					const page = await stub.listLedger({ before, pageSize });
					read.push(...page.entries.map(({ id }) => id));
					before = page.older;
					return before !== null;
				};
				let more = true;
				more = await readPage();
				for (const [n, step] of steps.entries()) {
					now += MINUTE_MS;
					if (step === 'add') await verify(`new${n}`, now, 'deliverable');
					else if (step === 'ring') await ring(now);
					else if (more) more = await readPage();
				}
				while (more) more = await readPage();
				expect(read.toReversed()).toEqual(expected);
			},
		),
		{ numRuns: 10 },
	);
});

const step = <D extends string, T extends object>(
	weight: number,
	what: D,
	more: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => ({
	weight,
	arbitrary: fc.record(more).map((rest) => ({ do: what, ...rest })),
});
const OUTCOMES = fc.constantFrom('deliverable', 'unknown', 'failed', null);
const STEP = fc.oneof(
	step(6, 'verify', { outcome: OUTCOMES }),
	step(3, 'settle', { which: fc.nat() }),
	step(2, 'grant', { credits: fc.integer({ min: -3, max: 9 }).filter((n) => n !== 0) }),
	step(2, 'open job', {}),
	step(3, 'work on job', { which: fc.nat(), ends: fc.constantFrom('not', 'completed', 'failed') }),
	step(4, 'ring', { days: fc.integer({ min: 0, max: 45 }) }),
	step(1, 'die', {}),
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** Does one thing after the other to an account, and remembers by which names. */
function player(opened: OpenedLedger) {
	const { stub, start, verify, ring, nextAlarm, evict } = opened;
	const calls: Awaited<ReturnType<typeof verify>>[] = [];
	const jobs: string[] = [];
	let now = start;
	let names = 0;

	async function workOnJob(jobId: string, ends: 'not' | 'completed' | 'failed'): Promise<void> {
		const settlement = { ...settlementOf(0, 1, tallyOf({ risky: 1, unknown: 1 }), now), jobId };
		await stub.settlePart(settlement);
		if (ends === 'failed') await stub.failJob({ jobId, now, error: 'gone' });
		if (ends !== 'completed') return;
		await stub.settlePart({ ...settlement, part: 1, tally: tallyOf({ deliverable: 1 }) });
		const job = await stub.findJob(jobId);
		if (job?.processed === job?.accepted) await stub.completeJob({ jobId, now });
	}

	return async (action: Step): Promise<void> => {
		now += 1;
		names += 1;
		const name = `n${names}`;
		if (action.do === 'verify') {
			const call = await verify(name, now, action.outcome);
			if (call.kind === 'admitted') calls.push(call);
		} else if (action.do === 'settle') {
			await calls[action.which % Math.max(1, calls.length)]?.settle('deliverable', now);
		} else if (action.do === 'grant') await stub.grant({ id: name, credits: action.credits, now });
		else if (action.do === 'open job') {
			const { kind } = await stub.openJob(jobOf(now, [2, 1], { jobId: name }));
			if (kind === 'opened') jobs.push(name);
		} else if (action.do === 'work on job') {
			const jobId = jobs[action.which % Math.max(1, jobs.length)];
			if (jobId !== undefined) await workOnJob(jobId, action.ends);
		} else if (action.do === 'ring') {
			now += action.days * DAY_MS;
			for (let n = 0; n < 3; n += 1) if ((await nextAlarm()) !== null) await ring(now);
		} else await evict();
	};
}

function sumOf(lines: readonly LedgerEntry[], key: 'change' | 'reserved'): number {
	return lines.reduce((sum, line) => sum + line[key], 0);
}

test('whatever happens in whatever order, all lines ever made add up to the balance, to the credit', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(STEP, { minLength: 10, maxLength: 40 }),
			fc.integer({ min: 1, max: 5 }),
			async (steps, pageSize) => {
				const opened = await openLedger(15, 35 * DAY_MS);
				const { stub, balance, held } = opened;
				const play = player(opened);
				// The lines that were seen last, by their ids: what becomes of them once they are deleted must not change.
				const seen = new Map<string, LedgerEntry>();
				for (const [n, action] of steps.entries()) {
					for (const line of await held()) seen.set(line.id, line);
					await play(action);
					const lines = await held(pageSize);
					for (const line of lines) seen.set(line.id, line);
					const view = await balance();
					const all = [...seen.values()];
					expect(sumOf(all, 'change'), `step ${n}`).toBe(view.balance);
					expect(await stub.check(), `step ${n}`).toEqual([]);
					// What a job has reserved is never deleted. What single calls have set aside has no line.
					expect(sumOf(lines, 'reserved')).toBe(sumOf(all, 'reserved'));
					expect(sumOf(lines, 'reserved')).toBeLessThanOrEqual(view.reservedCredits);
				}
			},
		),
		{ numRuns: 12 },
	);
});
