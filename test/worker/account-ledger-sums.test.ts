import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import type { LedgerPlace } from '../../src/operations/accounts/port.ts';
import { MINUTE_MS, jobOf, settlementOf, tallyOf } from '../support/account-jobs.ts';
import { DAY_MS, ledgerIds, openOldLedger, verifyMany } from '../support/old-ledger.ts';
import type { OldLedger } from '../support/old-ledger.ts';

// Whatever happens to an account, its ledger adds up, page by page, in files and out of them.

test('pages that are read while lines are added and change have no line twice and miss none', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 4 }),
			fc.array(fc.constantFrom('add', 'settle', 'read', 'ring'), { minLength: 8, maxLength: 30 }),
			async (pageSize, steps) => {
				const opened = await openOldLedger(50);
				const { stub, start, verify, ring, held } = opened;
				await verifyMany(opened, 7, start + 1);
				await verify('open', start + 8 * MINUTE_MS, null);
				const expected = (await ledgerIds(opened)).toReversed();
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
					else if (step === 'settle')
						await stub.settle({
							reservation: { id: 'open', at: start + 8 * MINUTE_MS },
							outcome: 'risky',
							now,
						});
					else if (more) more = await readPage();
				}
				while (more) more = await readPage();
				expect(read.toReversed()).toEqual(expected);
				let sum = 0;
				for (const { change, balanceAfter } of await held(pageSize)) {
					sum += change;
					expect(balanceAfter).toBe(sum);
				}
			},
		),
		{ numRuns: 15 },
	);
});

const DAYS = fc.integer({ min: 0, max: 45 });
const STEP = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('verify' as const),
			outcome: fc.constantFrom('deliverable', 'unknown', 'failed', null),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat() }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('grant' as const),
			credits: fc.integer({ min: -3, max: 9 }).filter((n) => n !== 0),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('open job' as const) }) },
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('work on job' as const),
			which: fc.nat(),
			ends: fc.constantFrom('not', 'completed', 'failed'),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('ring' as const),
			days: DAYS,
			fate: fc.constantFrom('stored', 'refused', 'unheard'),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** Does one thing after the other to an account, and remembers by which names. */
function player(opened: OldLedger) {
	const { stub, start, verify, ring, nextAlarm, files, replaceOutside } = opened;
	const reservations: { id: string; at: number }[] = [];
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
			const kind = await verify(name, now, action.outcome);
			if (kind === 'admitted') reservations.push({ id: name, at: now });
		} else if (action.do === 'settle') {
			const reservation = reservations[action.which % Math.max(1, reservations.length)];
			if (reservation !== undefined) await stub.settle({ reservation, outcome: 'deliverable', now });
		} else if (action.do === 'grant') await stub.grant({ id: name, credits: action.credits, now });
		else if (action.do === 'open job') {
			const { kind } = await stub.openJob(jobOf(now, [2, 1], { jobId: name }));
			if (kind === 'opened') jobs.push(name);
		} else if (action.do === 'work on job') {
			const jobId = jobs[action.which % Math.max(1, jobs.length)];
			if (jobId !== undefined) await workOnJob(jobId, action.ends);
		} else if (action.do === 'ring') {
			now += action.days * DAY_MS;
			files.fate = action.fate;
			for (let n = 0; n < 6; n += 1) if ((await nextAlarm()) !== null) await ring(now);
			files.fate = 'stored';
		} else {
			// As after a version that knew no sums wrote the row.
			if (action.do === 'forget')
				await runInDurableObject(
					stub,
					(_: Account, { storage: { sql } }) => void sql.exec('UPDATE account SET ledger = NULL'),
				);
			await evictDurableObject(stub);
			await replaceOutside();
		}
	};
}

test('whatever happens in whatever order, all lines ever written add up to the balance, to the credit', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(STEP, { minLength: 10, maxLength: 40 }),
			fc.integer({ min: 1, max: 5 }),
			async (steps, pageSize) => {
				const opened = await openOldLedger(15, { retentionMs: 35 * DAY_MS });
				const { stub, balance, everyLine } = opened;
				const play = player(opened);
				for (const [n, action] of steps.entries()) {
					await play(action);
					if (n % 8 !== 0 && n !== steps.length - 1) continue;
					const lines = await everyLine(pageSize);
					let sum = 0;
					for (const { change, balanceAfter } of lines) {
						sum += change;
						expect(balanceAfter).toBe(sum);
					}
					const view = await balance();
					const { total, totals, entries } = await stub.listLedger({ before: null, pageSize: 1_000 });
					expect({ sum, lines: lines.length }).toEqual({ sum: view.balance, lines: total });
					expect(totals).toEqual({
						granted: view.totalPurchased,
						charged: view.totalConsumed,
						reserved: view.reservedCredits,
					});
					// What is reserved is never in a file alone.
					expect(entries.reduce((all, { reserved }) => all + reserved, 0)).toBe(view.reservedCredits);
				}
			},
		),
		{ numRuns: 20 },
	);
});
