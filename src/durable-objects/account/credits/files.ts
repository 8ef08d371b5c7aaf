import { assert } from '../../../lib/assert.ts';
import type { LedgerMonth } from '../../../operations/accounts/ledger-files-port.ts';
import { numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import { placeOf } from './marks.ts';
import type { SumsUpTo } from './marks.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';

/** What of the ledger stands in files, and what of that was deleted here. */
export interface Filed {
	/** The last line that stands in a file. */
	readonly filed: LedgerPlace;
	readonly filedLines: number;
	/** The last line that was deleted. */
	readonly pruned: LedgerPlace;
	/** Of all deleted lines. */
	readonly prunedSums: SumsUpTo;
}

/** SQL of what becomes of a ledger's old lines. Makes no decisions. */
export class FiledLines {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	read(): Filed {
		const [row] = this.#sql.rows('SELECT * FROM ledger_files');
		assert(row !== undefined, 'the row is made with the table');
		return {
			filed: { at: numberOf(row, 'filed_at'), id: textOf(row, 'filed_id') },
			filedLines: numberOf(row, 'filed_lines'),
			pruned: { at: numberOf(row, 'pruned_at'), id: textOf(row, 'pruned_id') },
			prunedSums: { lines: numberOf(row, 'pruned_lines'), change: numberOf(row, 'pruned_change') },
		};
	}

	write({ filed, filedLines, pruned, prunedSums }: Filed): void {
		assert(!isAfter(pruned, filed), 'only what stands in a file is deleted');
		this.#sql.rows(
			'INSERT OR REPLACE INTO ledger_files VALUES (1, ?, ?, ?, ?, ?, ?, ?)',
			filed.at,
			filed.id,
			filedLines,
			pruned.at,
			pruned.id,
			prunedSums.lines,
			prunedSums.change,
		);
	}

	/** Whether a line at this place would have been deleted. */
	isPruned(place: LedgerPlace): boolean {
		return !isAfter(place, this.read().pruned);
	}

	/** So many lines after a place, made before `before`, the oldest first. */
	linesAfter({ at, id }: LedgerPlace, before: number, most: number): readonly Row[] {
		return this.#sql.rows(
			'SELECT * FROM ledger WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ?',
			at,
			id,
			before,
			most,
		);
	}

	/** When the first line after a place was made. */
	firstAfter({ at, id }: LedgerPlace): number | null {
		const query = 'SELECT at FROM ledger WHERE (at, id) > (?, ?) ORDER BY at, id LIMIT 1';
		const [row] = this.#sql.rows(query, at, id);
		return row === undefined ? null : numberOf(row, 'at');
	}

	/** The last of at most so many lines after a place, up to another, made before `before`; null: there are none. */
	lastOf(after: LedgerPlace, upTo: LedgerPlace, before: number, most: number): LedgerPlace | null {
		const [row] = this.#sql.rows(
			`SELECT at, id FROM (SELECT at, id FROM ledger WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?) AND at < ?
				ORDER BY at, id LIMIT ?) ORDER BY at DESC, id DESC LIMIT 1`,
			after.at,
			after.id,
			upTo.at,
			upTo.id,
			before,
			most,
		);
		return row === undefined ? null : placeOf(row);
	}

	/** Deletes the lines after one place, up to and including another. What failed jobs were charged goes to the jobs. */
	deleteLines(after: LedgerPlace, upTo: LedgerPlace): void {
		const range = [after.at, after.id, upTo.at, upTo.id];
		this.#sql.rows(
			`UPDATE jobs SET kept = (SELECT charged FROM ledger WHERE at = created_at AND id = job_id)
				WHERE status = 'failed' AND job_id IN (SELECT id FROM ledger
					WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?) AND kind IN ('job', 'task'))`,
			...range,
		);
		this.#sql.rows('DELETE FROM ledger WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?)', ...range);
	}

	/** The months with lines in files, the newest first. */
	months(): LedgerMonth[] {
		return this.#sql.rows('SELECT * FROM ledger_months ORDER BY month DESC').map(monthOfRow);
	}

	/** The month to which lines may still be added. */
	openMonth(): LedgerMonth | null {
		const [row] = this.#sql.rows('SELECT * FROM ledger_months ORDER BY month DESC LIMIT 1');
		const newest = row === undefined ? null : monthOfRow(row);
		return newest?.closedAt === null ? newest : null;
	}

	writeMonth({ month, pieces, lines, change, closedAt }: LedgerMonth): void {
		this.#sql.rows(
			'INSERT OR REPLACE INTO ledger_months (month, pieces, lines, change, closed_at) VALUES (?, ?, ?, ?, ?)',
			month,
			pieces,
			lines,
			change,
			closedAt,
		);
	}
}

/** In the ledger's order. */
export function isAfter(place: LedgerPlace, other: LedgerPlace): boolean {
	return place.at > other.at || (place.at === other.at && place.id > other.id);
}

function monthOfRow(row: Row): LedgerMonth {
	return {
		month: textOf(row, 'month'),
		pieces: numberOf(row, 'pieces'),
		lines: numberOf(row, 'lines'),
		change: numberOf(row, 'change'),
		closedAt: numberOrNull(row['closed_at']),
	};
}
