import { assert } from '../../lib/assert.ts';
import { statusOf } from '../verification/sub-status.ts';
import type { Status } from '../verification/sub-status.ts';
import { decodeRow, isDeferred } from './stored-row.ts';
import type { FinalRow, RowCounts } from './stored-row.ts';

/** Rows in each stored page but the last. */
export const ROWS_PER_PAGE = 500;

/** Filters of results. `catch_all`: every row of a catch-all domain, as `catchAll` counts them. */
export type ResultFilter = Status | 'catch_all';

/** The lists whose pages are stored for a finished job. */
export type ResultList = ResultFilter | 'all';

/** `ROWS_PER_PAGE` rows of a list in the order of the input; fewer on its last page. */
export interface StoredPage {
	readonly list: ResultList;
	/** From 0. */
	readonly page: number;
	readonly rows: string;
}

export interface LayoutPlan {
	/** Reads the rows of all parts; each call begins with the first part. */
	readonly parts: () => AsyncIterable<string>;
	/** The number of the job's addresses. */
	readonly total: number;
	/** Rows that are held in memory at once: all parts are read again in each pass. */
	readonly rowsPerPass: number;
	readonly put: (page: StoredPage) => Promise<void>;
	/** Called once with each row, in the order of the input. */
	readonly see: (row: FinalRow) => void;
}

/** The contract's pagination object. */
export interface Pagination {
	readonly total: number;
	readonly page: number;
	readonly limit: number;
	readonly pages: number;
	readonly hasNextPage: boolean;
}

/**
 * Puts the rows of all parts in the order of the input, cuts them into pages and returns their counts. Rows are
 * parsed one at a time. Throws unless every index from 0 to `total` - 1 has exactly one row, and a final one. A job
 * must not complete with an address lost or answered twice.
 */
export async function layOut(plan: LayoutPlan): Promise<RowCounts> {
	const { total, rowsPerPass, put, see } = plan;
	const lists = new Map<ResultList, OpenPage>();
	const counts = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };
	for (let first = 0; first === 0 || first < total; first += rowsPerPass) {
		const lines = await linesFrom(plan, first);
		for (const line of lines) {
			const row = decodeRow(line);
			assert(!isDeferred(row), 'every row of a finished job is final');
			see(row);
			const status = statusOf(row[2]);
			counts[status] += 1;
			if (row[4] === true) counts.catchAll += 1;
			for (const list of row[4] === true
				? (['all', status, 'catch_all'] as const)
				: (['all', status] as const))
				await append(lists, list, line, put);
		}
	}
	for (const [list, { page, lines }] of lists)
		if (lines.length > 0) await put({ list, page, rows: lines.join('\n') });
	return counts;
}

interface OpenPage {
	page: number;
	lines: string[];
}

/**
 * The lines of one pass, in order. Every pass counts the rows of the whole job, so no row gets lost between two
 * passes.
 */
async function linesFrom({ parts, total, rowsPerPass }: LayoutPlan, first: number): Promise<string[]> {
	const lines = Array.from({ length: Math.min(rowsPerPass, total - first) }, () => '');
	// A slice keeps its part's whole text in memory, which only costs something if not all of its rows are needed.
	const keep = rowsPerPass < total ? copyOf : (line: string): string => line;
	let rows = 0;
	for await (const text of parts()) {
		for (const line of linesOf(text)) {
			const index = indexOf(line);
			assert(index >= 0 && index < total, `row ${index} is one of ${total}`);
			rows += 1;
			if (index < first || index >= first + rowsPerPass) continue;
			assert(lines[index - first] === '', `row ${index} is there once`);
			lines[index - first] = keep(line);
		}
	}
	assert(rows === total && !lines.includes(''), `all ${total} rows are there, not ${rows}`);
	return lines;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function copyOf(line: string): string {
	return decoder.decode(encoder.encode(line));
}

/** The first element of a row, without parsing the rest. */
function indexOf(line: string): number {
	const index = Number(line.slice(1, line.indexOf(',')));
	assert(Number.isInteger(index), 'a row begins with its index');
	return index;
}

async function append(
	lists: Map<ResultList, OpenPage>,
	list: ResultList,
	line: string,
	put: LayoutPlan['put'],
): Promise<void> {
	let open = lists.get(list);
	if (open === undefined) lists.set(list, (open = { page: 0, lines: [] }));
	open.lines.push(line);
	if (open.lines.length < ROWS_PER_PAGE) return;
	await put({ list, page: open.page, rows: open.lines.join('\n') });
	open.page += 1;
	open.lines = [];
}

/**
 * Locates a page of `total` rows in the stored pages, which are numbered from 0: skip `offset` rows of the first and take
 * `limit`. No page is longer than a stored one, so two reads are enough. Past the end there are no stored pages.
 */
export function pageSpan(
	total: number,
	page: number,
	limit: number,
): { readonly pages: readonly number[]; readonly offset: number } {
	assert(Number.isInteger(page) && page >= 1, 'pages are counted from 1');
	assert(Number.isInteger(limit) && limit >= 1 && limit <= ROWS_PER_PAGE, 'a page fits a stored page');
	const start = (page - 1) * limit;
	const first = Math.floor(start / ROWS_PER_PAGE);
	const end = Math.ceil(Math.min(start + limit, total) / ROWS_PER_PAGE);
	const pages = start >= total ? [] : Array.from({ length: end - first }, (_, at) => first + at);
	return { pages, offset: start % ROWS_PER_PAGE };
}

/** The pagination of a page among all pages of `total` rows. A page past the end has no next one. */
export function paginate(total: number, page: number, limit: number): Pagination {
	const pages = Math.ceil(total / limit);
	return { total, page, limit, pages, hasNextPage: page < pages };
}

function* linesOf(text: string): Generator<string> {
	let start = 0;
	while (start < text.length) {
		const end = text.indexOf('\n', start);
		const stop = end === -1 ? text.length : end;
		yield text.slice(start, stop);
		start = stop + 1;
	}
}
