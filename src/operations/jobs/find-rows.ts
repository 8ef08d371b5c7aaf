import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { isByStatus, isOpen, matcherOf } from '../../core/jobs/report/filter.ts';
import type { RowFilter } from '../../core/jobs/report/filter.ts';
import { listed } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../core/jobs/report/listed-row.ts';
import { comparerOf, sortKeyOf } from '../../core/jobs/report/order.ts';
import type { RowOrder } from '../../core/jobs/report/order.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { listedRows, readTaskVerdicts } from './steps/listed-rows.ts';
import type { ListedRowsServices } from './steps/listed-rows.ts';
import { readRows, requireResults } from './steps/stored-results.ts';

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
	/** Of the rows that pass the filter. */
	readonly pagination: Pagination;
}

/**
 * A page of those rows of a completed list that pass a filter, sorted. What no stored list answers is found by reading
 * all of them, some hundred objects of a list of 50,000. Throws as `readResults` does.
 */
export async function findRows(
	services: ListedRowsServices,
	account: AccountRef,
	request: FindRowsRequest,
): Promise<FoundRows> {
	const { job, filter, order, page, limit } = request;
	requireResults(job, services.clock.now());
	if (order.by === 'list' && !order.descending && isStored(job, filter)) {
		const [{ rows, pagination }, verdicts] = await Promise.all([
			readRows(services, { job, page, limit, list: filter.status ?? 'all' }),
			readTaskVerdicts(services, job),
		]);
		return { rows: rows.map((row) => listed(row, verdicts?.of(row[0]) ?? null)), pagination };
	}
	const matches = matcherOf(filter);
	const keyOf = sortKeyOf(order.by);
	const found: { readonly key: string | number; readonly index: number; readonly listed: ListedRow }[] = [];
	for await (const row of listedRows(services, account, job))
		if (matches(row)) found.push({ key: keyOf(row), index: row.row[0], listed: row });
	const first = (page - 1) * limit;
	const shown = found.toSorted(comparerOf(order)).slice(first, first + limit);
	return { rows: shown.map((each) => each.listed), pagination: paginate(found.length, page, limit) };
}

/** Whether a list is stored that has just these rows: later checks move rows from one status to another. */
function isStored({ verdictsTaskId = null, answersJobId = null }: JobRecord, filter: RowFilter): boolean {
	if (answersJobId !== null) return false;
	return isOpen(filter) || (isByStatus(filter) && (verdictsTaskId === null || filter.status === 'catch_all'));
}
