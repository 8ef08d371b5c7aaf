import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../src/core/credits/ledger.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { jobOf, settlementOf, tallyOf } from '../support/account-jobs.ts';
import { openLedger, verifyMany } from '../support/ledger-lines.ts';
import type { OpenedLedger } from '../support/ledger-lines.ts';

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
