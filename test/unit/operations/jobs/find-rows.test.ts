import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROWS_PER_PAGE } from '../../../../src/core/jobs/pages.ts';
import { NO_FILTER } from '../../../../src/core/jobs/report/listed-row.ts';
import type { RowFilter } from '../../../../src/core/jobs/report/listed-row.ts';
import { STATUSES, statusOf } from '../../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { findRows, readReport } from '../../../../src/operations/jobs/read-job.ts';
import { FinishedLists } from '../../../support/unit/finished-lists.ts';
import { storedRow } from '../../../support/unit/listed-rows.ts';

const RESULTS: readonly SubStatus[] = ['accepted_email', 'rejected_email', 'catch_all', 'greylisted'];

const DECIDED: readonly SubStatus[] = ['catch_all_valid', 'catch_all_invalid', 'catch_all'];

const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, n) => storedRow(n, `a${n}@d${n % 7}.test`, RESULTS[n % 4]!));

/** A list of so many rows, of which a check decided some catch-all ones. */
async function checkedList(count: number) {
	const lists = new FinishedLists();
	await lists.add('job_1', rowsOf(count));
	const places = Array.from({ length: count }, (_, n) => n).filter((n) => n % 4 === 2);
	const scores = [91, 7, 60];
	const job = await lists.check(
		'job_1',
		places.map((n) => scores[n % 3]!),
	);
	return { lists, job };
}

type FindRowsRequest = Parameters<typeof findRows>[1];

function askFor(job: FindRowsRequest['job'], more: Partial<FindRowsRequest> = {}): FindRowsRequest {
	return { job, filter: NO_FILTER, page: 1, limit: 25, ...more };
}

describe('what a catch-all check found is in the rows of the list', () => {
	test('each row is the one of its own address, with its score', async () => {
		const { lists, job } = await checkedList(2 * ROWS_PER_PAGE + 20);
		const { rows, pagination } = await findRows(lists.services, askFor(job, { limit: 500, page: 2 }));
		expect(pagination.total).toBe(1_020);
		expect(rows.map(({ row }) => row[1])).toEqual(
			Array.from({ length: 500 }, (_, at) => `a${500 + at}@d${(500 + at) % 7}.test`),
		);
		for (const { row, isLearnt } of rows) {
			const n = row[0];
			expect(row[2]).toBe(n % 4 === 2 ? DECIDED[n % 3] : RESULTS[n % 4]);
			expect(isLearnt).toBe(n % 4 === 2 && n % 3 < 2);
		}
	});

	test('a filter by status goes by it, and the report counts the same', async () => {
		const { lists, job } = await checkedList(700);
		const report = await readReport(lists.services, { job });
		for (const status of STATUSES) {
			const filter = { ...NO_FILTER, status };
			const { rows, pagination } = await findRows(lists.services, askFor(job, { filter }));
			expect(pagination.total).toBe(report.counts[status]);
			expect(rows.every((row) => statusOf(row.row[2]) === status)).toBe(true);
		}
		expect([report.total, report.learntLater]).toEqual([700, 116]);
		expect([report.scores.valid[91], report.scores.invalid[7], report.scores.unknown[60]]).toEqual([
			58, 58, 59,
		]);
	});

	test('while nothing was checked, a page of an outcome is read from the list that is stored of it', async () => {
		const lists = new FinishedLists();
		const job = await lists.add('job_1', rowsOf(4 * ROWS_PER_PAGE));
		const filter = { ...NO_FILTER, status: 'risky' } as const;
		await findRows(lists.services, askFor(job, { filter, page: 20 }));
		expect(lists.bucket.reads).toEqual(['jobs/job_1/pages/risky/0']);
	});

	test('once the scores are gone, the rows and the report are those of the list', async () => {
		const { lists, job } = await checkedList(40);
		const rest = { ...job, verdictsTaskId: null };
		const { rows } = await findRows(lists.services, askFor(rest, { limit: 40 }));
		expect(rows.filter(({ row }) => row[2] === 'catch_all')).toHaveLength(10);
		expect((await readReport(lists.services, { job: rest })).counts.risky).toBe(10);
	});

	test('the report of the check is about the addresses that it checked alone', async () => {
		const { lists } = await checkedList(40);
		const check = lists.jobs.get('job_1_check')!;
		const { total, counts } = await readReport(lists.services, { job: check });
		expect([total, counts]).toEqual([10, { deliverable: 3, undeliverable: 3, risky: 0, unknown: 4 }]);
	});

	test('a check that ends after the results expired leaves no report', async () => {
		const lists = new FinishedLists();
		await lists.add('job_1', rowsOf(8));
		lists.now = 1_000;
		await lists.check('job_1', [91, 7]);
		expect(await lists.jobBlobs.readSummary('job_1_check', 'scores')).toBeNull();
		expect(await lists.jobBlobs.readSummary('job_1_check', 'checked')).toBeNull();
	});
});

test('pages of a filtered list hold each of its rows once, in the order of the list', async () => {
	const { lists, job } = await checkedList(ROWS_PER_PAGE + 60);
	const filters = fc.record<Partial<RowFilter>>({
		status: fc.constantFrom(null, 'deliverable', 'risky', 'unknown', 'catch_all'),
		reason: fc.constantFrom(null, null, 'catch_all_valid', 'catch_all'),
		text: fc.constantFrom('', '@d1', 'A1', '.TEST', 'nobody'),
	});
	await fc.assert(
		fc.asyncProperty(filters, async (some) => {
			const filter = { ...NO_FILTER, ...some };
			const whole = await findRows(lists.services, askFor(job, { filter, limit: 500 }));
			const places: number[] = [];
			for (let page = 1; page <= Math.ceil(whole.pagination.total / 70); page += 1) {
				const { rows } = await findRows(lists.services, askFor(job, { filter, page, limit: 70 }));
				places.push(...rows.map(({ row }) => row[0]));
			}
			expect(new Set(places).size).toBe(whole.pagination.total);
			expect(places).toEqual(places.toSorted((a, b) => a - b));
			expect(places.slice(0, 500)).toEqual(whole.rows.map(({ row }) => row[0]));
		}),
		{ numRuns: 25 },
	);
});
