import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { endOfMonth, monthOf } from '../../src/core/credits/month.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { compose } from '../../src/compose.ts';
import { downloadLedgerMonth } from '../../src/operations/accounts/download-ledger-month.ts';
import { KEY, MINUTE_MS, errorOf, jobOf, settlementOf, tallyOf } from '../support/account-jobs.ts';
import { DAY_MS, SMALL, ledgerIds, openOldLedger, verifyMany } from '../support/old-ledger.ts';
import type { OldLedger } from '../support/old-ledger.ts';

// The life of a ledger: sums that need no look at its lines, months that go into files, lines that leave.

/** From when on all lines of the month of `at` may be in files. */
const closingOf = (at: number): number => endOfMonth(monthOf(at)) + DAY_MS;

/** The first moment of the month after that of `at`, and of the one after that. */
const nextMonth = (at: number): number => endOfMonth(monthOf(at));

async function monthsOf({ stub }: OldLedger) {
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
