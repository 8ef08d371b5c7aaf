import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { comparerOf, isByStatus, isOpen, matcherOf, sortKeyOf } from '../../core/jobs/report/filter.ts';
import type { RowFilter, RowOrder } from '../../core/jobs/report/filter.ts';
import { listed } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../core/jobs/report/listed-row.ts';
import { scoreAt } from '../../core/jobs/task-verdicts.ts';
import type { JobRecord } from './port.ts';
import { listedRows, readRows, readTaskScores, requireResults } from './steps/stored-results.ts';
import type { ReadResultsServices } from './steps/stored-results.ts';

export interface FindRowsRequest {
	readonly job: JobRecord;
	readonly filter: RowFilter;
	readonly order: RowOrder;
	/** From 1. */
	readonly page: number;
	/** Rows a page, as many as a stored page has at most. */
	readonly limit: number;
}

export interface FoundRows {
	readonly rows: readonly ListedRow[];
	/** The pages of the rows that pass the filter. */
	readonly pagination: Pagination;
}

/**
 * A page of those rows of a completed list that pass a filter, sorted. A filter without a stored list reads all rows,
 * a hundred objects of a list of 50,000, and twice to sort them. Throws as `readResults` does.
 */
export async function findRows(services: ReadResultsServices, request: FindRowsRequest): Promise<FoundRows> {
	const { job, filter, order, page, limit } = request;
	requireResults(job, services.clock.now());
	const isListOrder = order.by === 'list' && !order.descending;
	if (isListOrder && isStored(job, filter)) {
		const [{ rows, pagination }, scores] = await Promise.all([
			readRows(services, { job, page, limit, list: filter.status ?? 'all' }),
			readTaskScores(services, job),
		]);
		return { rows: rows.map((row) => listed(row, scoreAt(scores, row[0]))), pagination };
	}
	return isListOrder ? filtered(services, request) : sorted(services, request);
}

/** The rows of one page in the list's order: the others are counted. */
async function filtered(
	services: ReadResultsServices,
	{ job, filter, page, limit }: FindRowsRequest,
): Promise<FoundRows> {
	const matches = matcherOf(filter);
	const first = (page - 1) * limit;
	const rows: ListedRow[] = [];
	let total = 0;
	for await (const row of listedRows(services, job)) {
		if (!matches(row)) continue;
		if (total >= first && total < first + limit) rows.push(row);
		total += 1;
	}
	return { rows, pagination: paginate(total, page, limit) };
}

/** Sorts what the rows are sorted by, and reads the list once more for the rows of the page: all at once are too many. */
async function sorted(
	services: ReadResultsServices,
	{ job, filter, order, page, limit }: FindRowsRequest,
): Promise<FoundRows> {
	const matches = matcherOf(filter);
	const keyOf = sortKeyOf(order.by);
	const keys: { readonly key: string | number; readonly index: number }[] = [];
	for await (const row of listedRows(services, job))
		if (matches(row)) keys.push({ key: keyOf(row), index: row.row[0] });
	const first = (page - 1) * limit;
	const wanted = keys
		.toSorted(comparerOf(order))
		.slice(first, first + limit)
		.map(({ index }) => index);
	const left = new Set(wanted);
	const found = new Map<number, ListedRow>();
	if (left.size > 0) {
		for await (const row of listedRows(services, job)) {
			if (left.delete(row.row[0])) found.set(row.row[0], row);
			if (left.size === 0) break;
		}
	}
	const rows = wanted.flatMap((index) => found.get(index) ?? []);
	return { rows, pagination: paginate(keys.length, page, limit) };
}

/** Whether a list is stored that has just these rows: a check moves rows from one status to another. */
function isStored({ verdictsTaskId }: JobRecord, filter: RowFilter): boolean {
	return isOpen(filter) || (isByStatus(filter) && (verdictsTaskId === null || filter.status === 'catch_all'));
}
