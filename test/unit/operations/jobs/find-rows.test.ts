import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROWS_PER_PAGE } from '../../../../src/core/jobs/pages.ts';
import { LIST_ORDER, NO_FILTER } from '../../../../src/core/jobs/report/filter.ts';
import type { RowFilter } from '../../../../src/core/jobs/report/filter.ts';
import { statusOfListed } from '../../../../src/core/jobs/report/listed-row.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { findRows } from '../../../../src/operations/jobs/find-rows.ts';
import type { FindRowsRequest } from '../../../../src/operations/jobs/find-rows.ts';
import { readReport } from '../../../../src/operations/jobs/read-job.ts';
import { FinishedLists } from '../../../support/unit/finished-lists.ts';
import { storedRow } from '../../../support/unit/listed-rows.ts';

const OWNER = { accountId: 'acc_1' };
const RESULTS: readonly SubStatus[] = ['accepted_email', 'rejected_email', 'catch_all', 'greylisted'];

const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, n) => storedRow(n, `a${n}@d${n % 7}.test`, RESULTS[n % 4]!));

/** A list of so many rows, of which a check decided some catch-all ones, and which asked some unknown ones again. */
async function checkedList(count: number) {
	const lists = new FinishedLists();
	await lists.add('job_1', rowsOf(count));
	const places = Array.from({ length: count }, (_, n) => n);
	const verdicts = ['valid', 'invalid', 'unknown'] as const;
	await lists.check(
		'job_1',
		places
			.filter((n) => n % 4 === 2)
			.map((n) => [n, { score: n % 100, verdict: verdicts[n % 3] ?? 'unknown' }]),
	);
	const asked = places.filter((n) => n % 8 === 3);
	const job = await lists.askAgain(
		'job_1',
		asked.map((n, at) => [
			n,
			storedRow(at, `a${n}@d${n % 7}.test`, n % 3 === 0 ? 'timeout' : 'accepted_email'),
		]),
	);
	return { lists, job };
}

function askFor(job: FindRowsRequest['job'], more: Partial<FindRowsRequest> = {}): FindRowsRequest {
	return { job, filter: NO_FILTER, order: LIST_ORDER, page: 1, limit: 25, ...more };
}

describe('what later checks found is in the rows of the list', () => {
	test('each row is the one of its own address, with the newest answer', async () => {
		const { lists, job } = await checkedList(2 * ROWS_PER_PAGE + 20);
		const { rows, pagination } = await findRows(lists.services, OWNER, askFor(job, { limit: 500, page: 2 }));
		expect(pagination.total).toBe(1_020);
		expect(rows.map(({ row }) => row[1])).toEqual(
			Array.from({ length: 500 }, (_, at) => `a${500 + at}@d${(500 + at) % 7}.test`),
		);
		for (const { row, settledAs } of rows) {
			const n = row[0];
			expect(settledAs).toBe(RESULTS[n % 4]);
			if (n % 4 === 2)
				expect(row[2]).toBe((['catch_all_valid', 'catch_all_invalid', 'catch_all'] as const)[n % 3]);
			if (n % 4 === 3)
				expect(row[2]).toBe(n % 8 === 7 ? 'greylisted' : n % 3 === 0 ? 'timeout' : 'accepted_email');
		}
	});

	test('a filter by status goes by it, and the report counts the same', async () => {
		const { lists, job } = await checkedList(700);
		const report = await readReport(lists.services, OWNER, { job });
		for (const status of ['deliverable', 'undeliverable', 'risky', 'unknown'] as const) {
			const filter = { ...NO_FILTER, status };
			const { rows, pagination } = await findRows(lists.services, OWNER, askFor(job, { filter }));
			expect(pagination.total).toBe(report.counts[status]);
			expect(rows.every((row) => statusOfListed(row) === status)).toBe(true);
		}
		expect(report.total).toBe(700);
	});

	test('while nothing was checked, a page of an outcome is read from the list that is stored of it', async () => {
		const lists = new FinishedLists();
		const job = await lists.add('job_1', rowsOf(4 * ROWS_PER_PAGE));
		const filter = { ...NO_FILTER, status: 'risky' } as const;
		await findRows(lists.services, OWNER, askFor(job, { filter, page: 20 }));
		expect(lists.jobBlobs.pagesRead).toEqual(['risky/0']);
	});

	test('a list that asked again and was deleted since leaves the first answers', async () => {
		const { lists, job } = await checkedList(40);
		const before = await readReport(lists.services, OWNER, { job });
		const again = lists.jobs.get('job_1_again')!;
		lists.jobs.set('job_1_again', { ...again, resultsExpiresAt: 0 });
		const { rows } = await findRows(lists.services, OWNER, askFor(job, { limit: 40 }));
		expect(rows).toHaveLength(40);
		expect(rows.filter(({ row }) => row[2] === 'greylisted')).toHaveLength(10);
		// The report says what the rows say.
		const after = await readReport(lists.services, OWNER, { job });
		expect(before.counts.unknown).toBeLessThan(10);
		expect(after.counts.unknown).toBe(10);
	});

	test('nothing is to be found while a list works, nor after its results expired', async () => {
		const { lists, job } = await checkedList(10);
		const asked = askFor({ ...job, status: 'processing' });
		await expect(findRows(lists.services, OWNER, asked)).rejects.toMatchObject({ code: 'job_not_completed' });
		lists.now = 1_000;
		await expect(findRows(lists.services, OWNER, askFor(job))).rejects.toMatchObject({
			code: 'results_expired',
		});
	});
});

test('pages of a filtered and sorted list hold each of its rows once', async () => {
	const { lists, job } = await checkedList(ROWS_PER_PAGE + 60);
	const filters = fc.record<Partial<RowFilter>>({
		status: fc.constantFrom(null, 'deliverable', 'risky', 'unknown', 'catch_all'),
		text: fc.constantFrom('', '@d1', 'A1', '.TEST', 'nobody'),
		verdict: fc.constantFrom(null, null, 'valid', 'unknown'),
	});
	const orders = fc.record({
		by: fc.constantFrom('list', 'address', 'domain', 'status', 'score' as const),
		descending: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(filters, orders, async (some, order) => {
			const asked = { filter: { ...NO_FILTER, ...some }, order: order as FindRowsRequest['order'] };
			const whole = await findRows(lists.services, OWNER, askFor(job, { ...asked, limit: 500 }));
			const places: number[] = [];
			for (let page = 1; page <= Math.ceil(whole.pagination.total / 70); page += 1) {
				const { rows } = await findRows(lists.services, OWNER, askFor(job, { ...asked, page, limit: 70 }));
				places.push(...rows.map(({ row }) => row[0]));
			}
			expect(new Set(places).size).toBe(whole.pagination.total);
			expect(places.slice(0, 500)).toEqual(whole.rows.map(({ row }) => row[0]));
		}),
		{ numRuns: 25 },
	);
});

describe('a report', () => {
	test('is made once and read after that, and made anew after a check', async () => {
		const lists = new FinishedLists();
		const first = await lists.add('job_1', rowsOf(80));
		const before = await readReport(lists.services, OWNER, { job: first });
		expect(await readReport(lists.services, OWNER, { job: first })).toEqual(before);
		expect(lists.jobBlobs.pagesRead).toEqual(['all/0']);
		const checked = await lists.check('job_1', [[2, { score: 97, verdict: 'valid' }]]);
		const after = await readReport(lists.services, OWNER, { job: checked });
		expect([before.counts.deliverable, after.counts.deliverable]).toEqual([20, 21]);
		expect(after.learntLater).toBe(1);
		const again = await lists.askAgain('job_1', [[3, storedRow(0, 'a3@d3.test', 'rejected_email')]]);
		const last = await readReport(lists.services, OWNER, { job: again });
		expect([after.counts.unknown, last.counts.unknown]).toEqual([20, 19]);
		// What was refunded stays refunded.
		expect(last.refunded).toEqual([{ reason: 'greylisted', count: 20 }]);
	});

	test('of another version is not believed', async () => {
		const lists = new FinishedLists();
		const job = await lists.add('job_1', rowsOf(8));
		const text = JSON.stringify({ madeOf: '0   ', report: { total: 3 } });
		await lists.jobBlobs.putSummary('job_1', 'report', text);
		expect((await readReport(lists.services, OWNER, { job })).total).toBe(8);
	});
});
