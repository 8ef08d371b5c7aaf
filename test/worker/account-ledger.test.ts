import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfMonth, monthOf } from '../../src/core/credits/month.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { compose } from '../../src/compose.ts';
import { downloadLedgerMonth } from '../../src/operations/accounts/download-ledger-month.ts';
import type { LedgerPlace } from '../../src/operations/accounts/port.ts';
import { KEY, MINUTE_MS, errorOf, jobOf, settlementOf, tallyOf } from '../support/account-jobs.ts';
import { DAY_MS, SMALL, openOldLedger } from '../support/old-ledger.ts';

// The life of a ledger: sums that need no look at its lines, months that go into files, lines that leave.

type Opened = Awaited<ReturnType<typeof openOldLedger>>;

/** From when on all lines of the month of `at` may be in files. */
const closingOf = (at: number): number => endOfMonth(monthOf(at)) + DAY_MS;

/** Verifications a minute apart, all of them charged, from a time on. */
async function verifyMany({ verify }: Opened, count: number, from: number, name = 'v'): Promise<void> {
	for (let n = 0; n < count; n += 1)
		expect(await verify(`${name}${n}`, from + n * MINUTE_MS, 'deliverable')).toBe('admitted');
}

/** The first moment of the month after that of `at`, and of the one after that. */
const nextMonth = (at: number): number => endOfMonth(monthOf(at));

async function monthsOf({ stub }: Opened) {
	const { months } = await stub.listLedger({ before: null, pageSize: 1 });
	return months.map(({ month, pieces, lines, closedAt }) => [month, pieces, lines, closedAt !== null]);
}

describe('a month', () => {
	test('goes into files once it has been over for a day, and not a moment before', async () => {
		const opened = await openOldLedger(20);
		const { start, ring, ringOut, filed, nextAlarm } = opened;
		const first = nextMonth(start);
		await verifyMany(opened, 2, first);
		await ringOut(closingOf(start));
		const month = monthOf(first);
		expect(await monthsOf(opened)).toEqual([[monthOf(start), 1, 1, true]]);
		await ring(closingOf(first) - 1);
		expect(await monthsOf(opened)).toHaveLength(1);
		expect(await nextAlarm()).toBe(closingOf(first));
		await ringOut(closingOf(first));
		expect(await monthsOf(opened)).toEqual([
			[month, 1, 2, true],
			[monthOf(start), 1, 1, true],
		]);
		expect(await filed()).toEqual([
			{ id: 'initial grant', change: 20, balanceAfter: 20 },
			{ id: 'v0', change: -1, balanceAfter: 19 },
			{ id: 'v1', change: -1, balanceAfter: 18 },
		]);
		// Nothing is left to be done, so the object sleeps until lines are too old.
		expect(await nextAlarm()).toBe(start + SMALL.retentionMs + 1);
	});

	test('of many lines is stored in pieces as it goes on, the last of them when it is over', async () => {
		const opened = await openOldLedger(20);
		const { start, ringOut, everyLine, held } = opened;
		const first = nextMonth(start);
		await verifyMany(opened, 10, first);
		await ringOut(closingOf(start));
		await ringOut(first + 2 * DAY_MS);
		expect(await monthsOf(opened)).toEqual([
			[monthOf(first), 2, 8, false],
			[monthOf(start), 1, 1, true],
		]);
		await ringOut(closingOf(first));
		expect((await monthsOf(opened))[0]).toEqual([monthOf(first), 3, 10, true]);
		const lines = await everyLine();
		expect(lines).toHaveLength(11);
		expect(await held()).toMatchObject(lines);
	});

	test('waits for a job that runs, and has what the job was charged in the end', async () => {
		const opened = await openOldLedger(20);
		const { stub, start, ringOut, filed, verify } = opened;
		const first = nextMonth(start);
		await verify('before', first, 'deliverable');
		await stub.openJob(
			jobOf(first + 1, [3], { timing: { ...jobOf(0, [1]).timing, redriveAfterMs: DAY_MS } }),
		);
		await verify('after', first + 2, 'deliverable');
		await ringOut(closingOf(first));
		expect((await filed()).map(({ id }) => id)).toEqual(['initial grant', 'before']);
		expect((await monthsOf(opened))[0]).toEqual([monthOf(first), 1, 1, false]);
		const end = closingOf(first) + DAY_MS;
		await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 2, unknown: 1 }), end));
		await stub.completeJob({ jobId: 'job_1', now: end });
		await ringOut(end + DAY_MS);
		expect((await monthsOf(opened))[0]).toEqual([monthOf(first), 2, 3, true]);
		expect((await filed()).slice(2)).toEqual([
			{ id: 'job_1', change: -2, balanceAfter: 17 },
			{ id: 'after', change: -1, balanceAfter: 16 },
		]);
	});

	test.each(['refused', 'unheard'] as const)(
		'is stored once and whole, although a piece was %s at first',
		async (fate) => {
			const opened = await openOldLedger(20);
			const { start, files, ring, ringOut, everyLine, filed, nextAlarm, replaceOutside } = opened;
			const first = nextMonth(start);
			await verifyMany(opened, 6, first);
			files.fate = fate;
			await ring(closingOf(first));
			expect(await filed()).toEqual([]);
			// It is tried again, by an object that knows nothing of what went on.
			await evictDurableObject(opened.stub);
			await replaceOutside();
			files.fate = 'stored';
			expect(await nextAlarm()).toBeLessThanOrEqual(closingOf(first) + MINUTE_MS);
			await ringOut(closingOf(first) + MINUTE_MS);
			const lines = await everyLine();
			expect(lines.map(({ id }) => id)).toEqual(['initial grant', 'v0', 'v1', 'v2', 'v3', 'v4', 'v5']);
			expect(await filed()).toEqual(lines);
			expect(files.puts).toBe(fate === 'unheard' ? 4 : 3);
		},
	);

	test('takes no line once it stands in files: a clock of last month is our mistake', async () => {
		const opened = await openOldLedger(20);
		const { stub, start, ringOut, verify, balance } = opened;
		await ringOut(closingOf(start));
		const before = await balance();
		for (const call of [
			(account: Account) => account.grant({ id: 'late', credits: 1, now: start }),
			(account: Account) => account.openJob(jobOf(start, [1])),
		])
			expect(await errorOf(stub, call)).toContain('Broken promise');
		expect(await balance()).toEqual(before);
		expect(await verify('in time', start + 1, 'deliverable')).toBe('admitted');
	});

	test('is downloaded with the labels of today, and another account has none of it', async () => {
		const opened = await openOldLedger(20);
		const { accountId, start, ringOut } = opened;
		const first = nextMonth(start);
		await verifyMany(opened, 5, first);
		await ringOut(closingOf(first));
		const services = compose(env);
		const request = { month: monthOf(first) };
		const csv = await new Response(await downloadLedgerMonth(services, { accountId }, request)).text();
		const [head, ...lines] = csv.trimEnd().split('\r\n');
		expect(head).toContain('when,what,id,key,credits');
		expect(lines).toHaveLength(5);
		expect(lines[0]).toContain(`,verification,v0,${KEY.label},1,1,0,0,0,-1,19`);
		const other = await openOldLedger(1);
		expect(await downloadLedgerMonth(services, { accountId: other.accountId }, request)).toBeNull();
	});
});

describe('a line that is too old', () => {
	test('stays to the last moment of the retention, and only what stands in a file leaves', async () => {
		const opened = await openOldLedger(20);
		const { start, files, ringOut, held, everyLine, balance } = opened;
		const first = nextMonth(start);
		await verifyMany(opened, 3, first);
		const before = await balance();
		const left = first + SMALL.retentionMs;
		files.fate = 'refused';
		await ringOut(left + 10 * DAY_MS);
		expect(await held()).toHaveLength(4);
		files.fate = 'stored';
		const again = await openOldLedger(20);
		await verifyMany(again, 3, first);
		await again.ringOut(closingOf(first));
		await again.ring(left);
		expect((await again.held()).map(({ id }) => id)).toEqual(['v0', 'v1', 'v2']);
		await again.ring(left + 1);
		expect((await again.held()).map(({ id }) => id)).toEqual(['v1', 'v2']);
		await again.ring(left + MINUTE_MS);
		expect(await again.held()).toHaveLength(2);
		expect(await again.nextAlarm()).toBe(left + MINUTE_MS + 1);
		await again.ringOut(left + DAY_MS);
		expect(await again.held()).toEqual([]);
		expect(await again.balance()).toEqual(before);
		const { total, totals, reconciled } = await again.stub.listLedger({ before: null, pageSize: 1 });
		expect({ total, totals, reconciled }).toEqual({
			total: 4,
			totals: { granted: 20, charged: 3, reserved: 0 },
			reconciled: true,
		});
		expect(await again.everyLine()).toEqual(await everyLine());
	});

	test('leaves at any age where there are more than the account may hold', async () => {
		const opened = await openOldLedger(20, { linesMax: 5 });
		const { start, ringOut, held, everyLine } = opened;
		const first = nextMonth(start);
		await verifyMany(opened, 10, first);
		await ringOut(closingOf(first));
		expect((await held()).map(({ id }) => id)).toEqual(['v5', 'v6', 'v7', 'v8', 'v9']);
		expect(await everyLine()).toHaveLength(11);
	});

	test('is settled, refunded and granted again without effect, and cannot be reserved again', async () => {
		const opened = await openOldLedger(20);
		const { stub, start, ringOut, verify, balance, held } = opened;
		const first = nextMonth(start);
		await verify('good', first, 'deliverable');
		await verify('dark', first + 1, 'unknown');
		await stub.grant({ id: 'invoice', credits: 5, now: first + 2 });
		const now = first + SMALL.retentionMs + DAY_MS;
		await ringOut(closingOf(first));
		await ringOut(now);
		expect(await held()).toEqual([]);
		const before = await balance();
		for (const outcome of ['deliverable', 'unknown', 'failed'] as const)
			for (const [id, at] of [
				['good', first],
				['dark', first + 1],
			] as const)
				expect(await stub.settle({ reservation: { id, at }, outcome, now })).toEqual({
					charged: 0,
					balance: before,
				});
		expect((await stub.grant({ id: 'invoice', credits: 5, now })).kind).toBe('repeated');
		expect((await stub.grant({ id: 'invoice', credits: 6, now })).kind).toBe('mismatch');
		const again = {
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			category: 'default',
			windowMs: 900_000,
		} as const;
		const admit = (account: Account) =>
			account.admit({ ...again, now: first, reservation: { id: 'good', credits: 1 } });
		expect(await errorOf(stub, admit)).toContain('Broken promise');
		// One that was never made, in a time that is still held, is our mistake as before.
		const unknown = { reservation: { id: 'nobody', at: now }, outcome: 'unknown', now } as const;
		expect(await errorOf(stub, (account) => account.settle(unknown))).toContain('was made here');
		expect(await balance()).toEqual(before);
	});

	test('leaves its job as it was: what it charged, what it refunded, and that it ended', async () => {
		const opened = await openOldLedger(20);
		const { stub, start, ringOut, balance } = opened;
		const first = nextMonth(start);
		for (const [jobId, at] of [
			['job_good', first],
			['job_bad', first + 1],
		] as const) {
			await stub.openJob(jobOf(at, [4], { jobId }));
			await stub.settlePart({ ...settlementOf(0, 1, tallyOf({ risky: 3, unknown: 1 }), at), jobId });
		}
		await stub.completeJob({ jobId: 'job_good', now: first + 2 });
		await stub.failJob({ jobId: 'job_bad', now: first + 2, error: 'gone' });
		// As a version left it that did not refund failures.
		await runInDurableObject(
			stub,
			(_: Account, { storage: { sql } }) =>
				void sql.exec("UPDATE ledger SET charged = 2 WHERE id = 'job_bad'"),
		);
		const jobs = [await stub.findJob('job_good'), await stub.findJob('job_bad')];
		const before = await balance();
		await ringOut(closingOf(first));
		await ringOut(first + SMALL.retentionMs + DAY_MS);
		await stub.completeJob({ jobId: 'job_good', now: first + SMALL.retentionMs + DAY_MS });
		await stub.failJob({ jobId: 'job_bad', now: first + SMALL.retentionMs + DAY_MS, error: 'again' });
		expect(await ledgerIds(opened)).toEqual([]);
		expect([await stub.findJob('job_good'), await stub.findJob('job_bad')]).toEqual(jobs);
		expect(await balance()).toEqual(before);
	});
});

async function ledgerIds({ stub }: Opened): Promise<string[]> {
	const { entries } = await stub.listLedger({ before: null, pageSize: 1_000 });
	return entries.map(({ id }) => id);
}

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
				let ended = false;
				let now = start + 9 * MINUTE_MS;
				const readPage = async () => {
					const page = await stub.listLedger({ before, pageSize });
					read.push(...page.entries.map(({ id }) => id));
					before = page.older;
					ended = before === null;
				};
				await readPage();
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
					else if (!ended) await readPage();
				}
				while (!ended) await readPage();
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
function player(opened: Opened) {
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
}, 120_000);
