import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { LEDGER_KINDS } from '../../src/operations/accounts/port.ts';
import type { LedgerEntry, LedgerFilter, LedgerPlace } from '../../src/operations/accounts/port.ts';
import { KEY, MINUTE_MS, jobOf, settlementOf, tallyOf } from '../support/account-jobs.ts';
import { DAY_MS, deletedAt, openLedger, verifyMany } from '../support/ledger-lines.ts';
import type { OpenedLedger } from '../support/ledger-lines.ts';

// Some lines of a ledger: of one kind, of some days. What they say is what they say among all.

const ALL: LedgerFilter = { kind: null, from: null, until: null };

/** The lines of a filter, newest first, read in pages of this size. */
async function linesOf(
	{ stub }: Pick<OpenedLedger, 'stub'>,
	filter: LedgerFilter,
	pageSize = 2,
): Promise<LedgerEntry[]> {
	const entries: LedgerEntry[] = [];
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<OpenedLedger['stub']['listLedger']>> = await stub.listLedger({
			before,
			pageSize,
			filter,
		});
		expect(page.entries.length).toBeLessThanOrEqual(pageSize);
		entries.push(...page.entries);
		before = page.older;
	} while (before !== null);
	return entries;
}

/** Lines of every kind over some days, with a job that still runs. */
async function mixed() {
	const opened = await openLedger(100);
	const { stub, start, verify, ring } = opened;
	const day = (n: number): number => start + n * DAY_MS;
	await verifyMany(opened, 4, day(0) + MINUTE_MS, 'a');
	await stub.grant({ id: 'bought', credits: 50, now: day(1) });
	await stub.openJob(jobOf(day(1) + 1, [3, 2]));
	await verify('between', day(1) + 2, 'unknown');
	await stub.grant({ id: 'taken', credits: -5, now: day(2) });
	await verifyMany(opened, 4, day(2) + 1, 'b');
	await stub.grant({ id: 'again', credits: 7, now: day(3) });
	await verify('last', day(3) + 1, 'deliverable');
	await stub.settlePart(settlementOf(0, 1, tallyOf({ risky: 2, unknown: 1 }), day(3) + 2));
	await ring(day(3) + 3);
	return { ...opened, day };
}

describe('lines of a filter', () => {
	test.each([...LEDGER_KINDS, null])(
		'of kind %s are exactly those, with the balances of the whole',
		async (kind) => {
			const opened = await mixed();
			const all = (await opened.held()).toReversed();
			const meant = (from: number | null, until: number | null) =>
				all.filter(
					(line) =>
						(kind === null || line.kind === kind) &&
						(from === null || line.at >= from) &&
						(until === null || line.at < until),
				);
			const { day } = opened;
			const bounds = [null, day(0), day(1), day(1) + 1, day(2), day(3) + 1, day(4)];
			for (const from of bounds) {
				for (const until of bounds)
					expect(await linesOf(opened, { kind, from, until }), `${String(from)} ${String(until)}`).toEqual(
						meant(from, until),
					);
			}
		},
	);

	test('are counted out of nothing: total and proof are those of the whole ledger', async () => {
		const { stub } = await mixed();
		const [whole, some] = await Promise.all([
			stub.listLedger({ before: null, pageSize: 50 }),
			stub.listLedger({ before: null, pageSize: 50, filter: { ...ALL, kind: 'grant' } }),
		]);
		expect(some.entries).toHaveLength(3);
		expect({ ...some, entries: [] }).toEqual({ ...whole, entries: [] });
	});

	test('are those that the account holds: what was deleted is in none', async () => {
		const opened = await mixed();
		const later = deletedAt(opened.start) + 40 * DAY_MS;
		await opened.stub.settlePart(settlementOf(1, 1, tallyOf({ risky: 2 }), later));
		await opened.stub.completeJob({ jobId: 'job_1', now: later });
		await opened.stub.grant({ id: 'newest', credits: 3, now: later });
		await opened.ringOut(later);
		const held = (await opened.held()).toReversed();
		expect(held.map(({ id }) => id)).toEqual(['newest']);
		expect(await linesOf(opened, { ...ALL, kind: 'grant' })).toEqual(held);
		expect(await linesOf(opened, { ...ALL, kind: 'verification' })).toEqual([]);
	});
});

describe('of a long ledger', () => {
	/** So many lines of one kind, a hundred a day, with some of another between them; the number of rows that a page reads. */
	async function long(many: string, few: string, lines = 5_000, every = 100) {
		const opened = await openLedger(lines * 2);
		const { stub, start } = opened;
		const at = (line: number): number => start + line * (DAY_MS / 100);
		await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
			sql.exec(
				`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${lines})
				INSERT INTO ledger (at, id, kind, keyId, credits, charged, outcome, closedAt)
				SELECT ?1 + i * ${DAY_MS / 100}, 'l' || i, IIF(i % ${every} = 0, ?2, ?3), ?4, 1, 1, 'risky', ?1 + i FROM n`,
				start,
				few,
				many,
				KEY.id,
			);
		});
		const read = async (filter: Partial<LedgerFilter>, before: LedgerPlace | null = null) => {
			const rows = () => runInDurableObject(stub, (account: Account) => account.rowsRead);
			const earlier = await rows();
			const page = await stub.listLedger({ before, pageSize: 20, filter: { ...ALL, ...filter } });
			return { page, rows: (await rows()) - earlier };
		};
		return { ...opened, at, read };
	}

	test('a page of the rare kinds, or of some days, reads little beside its own lines', async () => {
		const { at, read } = await long('verification', 'job');
		const usual = (await read({})).rows;
		const jobs = await read({ kind: 'job' });
		expect(jobs.page.entries.map(({ id }) => id).slice(0, 2)).toEqual(['l5000', 'l4900']);
		expect(jobs.page.entries).toHaveLength(20);
		// For the balance after each, the lines that follow on its day.
		expect(jobs.rows - usual).toBeLessThan(20 * (100 + 10));
		expect((await read({ kind: 'task' })).rows).toBeLessThanOrEqual(usual);
		expect((await read({ kind: 'job', from: at(300), until: at(401) })).page.entries).toHaveLength(2);
		for (const filter of [
			{ from: at(2_000), until: at(2_010) },
			{ until: at(5) },
			{ from: at(4_995) },
			{ from: at(9_000) },
			{ kind: 'verification', from: at(2_000), until: at(2_010) },
		] as const)
			expect((await read(filter)).rows - usual, JSON.stringify(filter)).toBeLessThan(300);
	});

	test('a page of verifications gives up among many others, and the next one goes on there', async () => {
		const { read, at } = await long('grant', 'verification', 25_000, 5_000);
		const { page, rows } = await read({ kind: 'verification' });
		expect(page.entries.map(({ id }) => id)).toEqual(['l25000', 'l20000', 'l15000', 'l10000']);
		expect(page.older).toEqual({ at: at(5_001), id: 'l5001' });
		expect(rows).toBeLessThan(22_000);
		const next = await read({ kind: 'verification' }, page.older);
		expect(next.page.entries.map(({ id }) => id)).toEqual(['l5000']);
		expect(next.page.older).toBeNull();
	});

	test('a new verification costs no row more, for the index has none', async () => {
		const { stub, verify, start } = await openLedger(10);
		const written = () => runInDurableObject(stub, (account: Account) => account.rowsWritten);
		await verify('first of the day', start + DAY_MS, 'deliverable');
		const before = await written();
		expect((await verify('v', start + DAY_MS, 'deliverable')).kind).toBe('admitted');
		expect((await written()) - before).toBe(2);
	});
});
