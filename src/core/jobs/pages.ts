import { assert } from '../../lib/assert.ts';
import { STATUSES, statusOf } from '../verification/sub-status.ts';
import type { Status } from '../verification/sub-status.ts';
import { decodeRow, isDeferred } from './stored-row.ts';
import type { RowCounts, StoredRow } from './stored-row.ts';

/** Rows in each stored page but the last. */
export const ROWS_PER_PAGE = 500;

/** What results can be filtered by. `catch_all`: every row of a catch-all domain, as `catchAll` counts them. */
export type ResultFilter = Status | 'catch_all';

/** A finished job, cut into pages. Each list of pages may be read more than once, in any order. */
export interface Layout {
	/** Texts of `ROWS_PER_PAGE` rows in the order of the input. */
	readonly all: Iterable<string>;
	readonly byStatus: Readonly<Record<ResultFilter, Iterable<string>>>;
	readonly counts: RowCounts;
}

/** The contract's pagination object. */
export interface Pagination {
	readonly total: number;
	readonly page: number;
	readonly limit: number;
	readonly pages: number;
	readonly hasNextPage: boolean;
}

// What is remembered of a row: its status as 1-4 (0: not met yet), and whether its domain is catch-all.
const STATUS_BITS = 7;
const CATCH_ALL_BIT = 8;

/**
 * Puts the rows of all parts in the order of the input and cuts them into pages. Rows stay text: each is parsed once,
 * by itself, and what is kept of it is one byte. Throws unless every index from 0 to `total` - 1 is there exactly once
 * with a final row: a job must not complete with an address lost or answered twice.
 */
export function layOut(partTexts: Iterable<string>, total: number): Layout {
	const lines = Array.from({ length: total }, () => '');
	const marks = new Uint8Array(total);
	let rows = 0;
	for (const text of partTexts) {
		for (const line of linesOf(text)) {
			const row = decodeRow(line);
			assert(!isDeferred(row), 'every row of a finished job is final');
			const [index] = row;
			assert(index >= 0 && index < total, `row ${index} is one of ${total}`);
			assert(marks[index] === 0, `row ${index} is there once`);
			marks[index] = markOf(row);
			// A slice of the part's text, not a copy.
			lines[index] = line;
			rows += 1;
		}
	}
	assert(rows === total, `all ${total} rows are there, not ${rows}`);
	return {
		all: pagesOf(lines, marks, () => true),
		byStatus: {
			deliverable: pagesOf(lines, marks, hasStatus('deliverable')),
			undeliverable: pagesOf(lines, marks, hasStatus('undeliverable')),
			risky: pagesOf(lines, marks, hasStatus('risky')),
			unknown: pagesOf(lines, marks, hasStatus('unknown')),
			catch_all: pagesOf(lines, marks, isCatchAll),
		},
		counts: countMarks(marks),
	};
}

/**
 * Where a page of results lies among the stored pages, which are numbered from 0: skip `offset` rows of the first and
 * take `limit`. As no page is longer than a stored one, two reads are enough. Past the end these do not exist.
 */
export function pageSpan(
	page: number,
	limit: number,
): { readonly firstBlob: number; readonly lastBlob: number; readonly offset: number } {
	assert(Number.isInteger(page) && page >= 1, 'pages are counted from 1');
	assert(Number.isInteger(limit) && limit >= 1 && limit <= ROWS_PER_PAGE, 'a page fits a stored page');
	const start = (page - 1) * limit;
	return {
		firstBlob: Math.floor(start / ROWS_PER_PAGE),
		lastBlob: Math.floor((start + limit - 1) / ROWS_PER_PAGE),
		offset: start % ROWS_PER_PAGE,
	};
}

/** Where a page stands among all pages of `total` rows. A page past the end has no next one. */
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

function pagesOf(
	lines: readonly string[],
	marks: Uint8Array,
	belongs: (mark: number) => boolean,
): Iterable<string> {
	return {
		*[Symbol.iterator]() {
			let page: string[] = [];
			for (const [index, line] of lines.entries()) {
				if (!belongs(marks[index] ?? 0)) continue;
				page.push(line);
				if (page.length < ROWS_PER_PAGE) continue;
				yield page.join('\n');
				page = [];
			}
			if (page.length > 0) yield page.join('\n');
		},
	};
}

function countMarks(marks: Uint8Array): RowCounts {
	const count = (belongs: (mark: number) => boolean): number =>
		marks.reduce((sum, mark) => (belongs(mark) ? sum + 1 : sum), 0);
	return {
		deliverable: count(hasStatus('deliverable')),
		undeliverable: count(hasStatus('undeliverable')),
		risky: count(hasStatus('risky')),
		unknown: count(hasStatus('unknown')),
		catchAll: count(isCatchAll),
	};
}

function markOf([, , subStatus, , catchAll]: StoredRow): number {
	return numberOf(statusOf(subStatus)) | (catchAll === true ? CATCH_ALL_BIT : 0);
}

function numberOf(status: Status): number {
	return STATUSES.indexOf(status) + 1;
}

function hasStatus(status: Status): (mark: number) => boolean {
	const number = numberOf(status);
	return (mark) => (mark & STATUS_BITS) === number;
}

function isCatchAll(mark: number): boolean {
	return (mark & CATCH_ALL_BIT) !== 0;
}
