import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut, pageSpan, paginate, ROWS_PER_PAGE } from '../../../src/core/jobs/pages.ts';
import type { ResultFilter, ResultList } from '../../../src/core/jobs/pages.ts';
import { newRow } from '../../../src/core/jobs/open-row.ts';
import { decodeRows, encodeRows, isDeferred, tallyRows } from '../../../src/core/jobs/stored-row.ts';
import type { StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { statusOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { storedRow } from '../../support/unit/listed-rows.ts';

const FILTERS: readonly ResultFilter[] = ['deliverable', 'undeliverable', 'risky', 'unknown', 'catch_all'];

const makeRow = (index: number, subStatus: SubStatus = 'accepted_email', catchAll: boolean | null = false) =>
	storedRow(index, `user${index}@x.test`, subStatus, { catchAll });

const rowsOf = (pages: Iterable<string>): StoredRow[] =>
	[...pages].flatMap(decodeRows).filter((row): row is StoredRow => !isDeferred(row));
const lengths = (pages: Iterable<string>): number[] => Array.from(pages, (text) => decodeRows(text).length);
const upTo = (total: number): number[] => Array.from({ length: total }, (_, index) => index);
const belongs = ([, , subStatus, , catchAll]: StoredRow, filter: ResultFilter): boolean =>
	filter === 'catch_all' ? catchAll === true : statusOf(subStatus) === filter;

/** Lays out a job: the pages of each list, and the counts of the rows. */
async function laidOut(parts: readonly string[], total: number, rowsPerPass = 50_000) {
	const none = ['all', ...FILTERS].map((list): [string, string[]] => [list, []]);
	const lists = Object.fromEntries(none) as Record<ResultList, string[]>;
	const counts = await layOut({
		parts: async function* read() {
			yield* parts;
		},
		total,
		rowsPerPass,
		see: () => {},
		put: async ({ list, page, rows }) => {
			lists[list][page] = rows;
		},
	});
	return { lists, counts };
}

const kinds = fc.constantFrom<readonly [SubStatus, boolean | null]>(
	['accepted_email', false],
	['rejected_email', false],
	['catch_all', true],
	['catch_all_invalid', true],
	['greylisted', null],
);
/** All rows of a job in any order, cut into parts anywhere. */
const jobs = fc
	.array(kinds, { maxLength: 60 })
	.chain((list) => {
		const rows = list.map((kind, index) => makeRow(index, ...kind));
		return fc.tuple(
			fc.shuffledSubarray(rows, { minLength: rows.length }),
			fc.array(fc.nat(rows.length), { maxLength: 6 }),
		);
	})
	.map(([rows, cuts]) => {
		const edges = [0, ...cuts.toSorted((a, b) => a - b), rows.length];
		const parts = edges.slice(1).map((end, place) => encodeRows(rows.slice(edges[place], end)));
		return { rows, parts };
	});

/** From one row at a time to all at once. */
const passes = fc.integer({ min: 1, max: 70 });

test('every row is once in the whole list and in that of its status, in order, as often as the counts say', async () => {
	await fc.assert(
		fc.asyncProperty(jobs, passes, async ({ rows, parts }, rowsPerPass) => {
			const { lists, counts } = await laidOut(parts, rows.length, rowsPerPass);
			const sorted = rows.toSorted(([a], [b]) => a - b);
			expect(rowsOf(lists.all)).toEqual(sorted);
			for (const filter of FILTERS) {
				const shown = rowsOf(lists[filter]);
				expect(shown).toEqual(sorted.filter((row) => belongs(row, filter)));
				expect(shown).toHaveLength(counts[filter === 'catch_all' ? 'catchAll' : filter]);
			}
			expect(tallyRows(rows)).toMatchObject(counts);
		}),
	);
});

test.each<[number, number[]]>([
	[0, []],
	[1, [1]],
	[499, [499]],
	[500, [500]],
	[501, [500, 1]],
	[1_000, [500, 500]],
])('pages of %i rows have %j, also where a pass ends within a page', async (total, expected) => {
	for (const rowsPerPass of [50_000, 333]) {
		const { lists } = await laidOut(
			[encodeRows(upTo(total).map((index) => makeRow(index)))],
			total,
			rowsPerPass,
		);
		expect(lengths(lists.all)).toEqual(expected);
		expect(lengths(lists.deliverable)).toEqual(expected);
		expect(lengths(lists.unknown)).toEqual([]);
	}
});

test.each<[string, string[], number, string]>([
	['a missing row', [encodeRows([makeRow(0), makeRow(2)])], 3, 'all 3 rows are there, not 2'],
	['a missing part', [], 1, 'all 1 rows are there, not 0'],
	['a row twice in a part', [encodeRows([makeRow(0), makeRow(0)])], 2, 'row 0 is there once'],
	[
		'a row in two parts',
		[encodeRows([makeRow(0)]), encodeRows([makeRow(0), makeRow(1)])],
		2,
		'row 0 is there once',
	],
	['a row past the end', [encodeRows([makeRow(0), makeRow(1)])], 1, 'row 1 is one of 1'],
	['a row before the start', [encodeRows([makeRow(-1)])], 1, 'row -1 is one of 1'],
	['a row that waits', [encodeRows([newRow(0, 'a@x.test')])], 1, 'is final'],
])('a job with %s is not laid out', async (_, parts, total, promise) => {
	await expect(laidOut(parts, total)).rejects.toThrow(promise);
	await expect(laidOut(parts, total, 1)).rejects.toThrow(promise);
});

test('no page costs more than two reads, and the rows read are those of the page', () => {
	const limits = fc.integer({ min: 1, max: ROWS_PER_PAGE });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 60 }), limits, fc.nat(2_600), (page, limit, total) => {
			const { pages, offset } = pageSpan(total, page, limit);
			expect(pages.length).toBeLessThanOrEqual(2);
			const stored = pages.flatMap((one) =>
				upTo(total).slice(one * ROWS_PER_PAGE, (one + 1) * ROWS_PER_PAGE),
			);
			const start = (page - 1) * limit;
			expect(stored.slice(offset, offset + limit)).toEqual(upTo(total).slice(start, start + limit));
		}),
	);
});

test.each([
	[0, 1, 25, 0, false],
	[1, 1, 25, 1, false],
	[25, 1, 25, 1, false],
	[26, 1, 25, 2, true],
	[26, 2, 25, 2, false],
	[26, 3, 25, 2, false],
	[50_000, 99, 500, 100, true],
	[50_000, 100, 500, 100, false],
])('pagination of %i rows, page %i of %i', (total, page, limit, pages, hasNextPage) => {
	expect(paginate(total, page, limit)).toEqual({ total, page, limit, pages, hasNextPage });
});
