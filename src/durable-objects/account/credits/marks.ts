import type { LedgerPolicy } from '../../../core/credits/ledger-policy.ts';
import { assert } from '../../../lib/assert.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';

/** All lines of a ledger up to a place: their number, and by how much they changed the balance. */
export interface SumsUpTo {
	readonly lines: number;
	/** Without what running jobs have charged so far. */
	readonly change: number;
}

/** After all lines. */
export const AFTER_ALL: LedgerPlace = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** By how much a line changed the balance. Of an open one nothing is charged yet. */
const CHANGE = "IIF(kind IN ('grant', 'adjustment'), credits, -COALESCE(charged, 0))";

/**
 * The sums of the ledger at any place, without reading all of it: every thousandth line or so is marked with them. A line that
 * changes behind a mark changes the marks after it (`CreditStorage`).
 */
export class LedgerMarks {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** The sums up to and including the line at this place. */
	sumsUpTo(place: LedgerPlace): SumsUpTo {
		const from = this.#lastBefore(place);
		return addSums(from.sums, this.sumsBetween(from.place, place));
	}

	/**
	 * The changes up to and including each of these places, the newest of which comes first. Of lines between two marks each is
	 * read twice at most, however many places are there.
	 */
	changesUpTo(places: readonly LedgerPlace[]): readonly number[] {
		let newer: { place: LedgerPlace; mark: LedgerPlace; change: number } | null = null;
		return places.map((place) => {
			const { place: mark, sums } = this.#lastBefore(place);
			const isNear: boolean = newer !== null && newer.mark.at === mark.at && newer.mark.id === mark.id;
			const change: number =
				newer !== null && isNear
					? newer.change - this.sumsBetween(place, newer.place).change
					: sums.change + this.sumsBetween(mark, place).change;
			newer = { place, mark, change };
			return change;
		});
	}

	/** The sums of the lines after one place, up to and including another. */
	sumsBetween(after: LedgerPlace, upTo: LedgerPlace): SumsUpTo {
		const [row] = this.#sql.rows(
			`SELECT COUNT(*) AS lines, TOTAL(${CHANGE}) AS change FROM ledger WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?)`,
			after.at,
			after.id,
			upTo.at,
			upTo.id,
		);
		assert(row !== undefined, 'a sum has a row');
		return { lines: numberOf(row, 'lines'), change: numberOf(row, 'change') };
	}

	/**
	 * Marks lines made before `before`. Returns when the newest marked line was made, or null if none was marked, and
	 * whether there may be more to mark.
	 */
	mark(
		before: number,
		policy: Pick<LedgerPolicy, 'linesPerMark' | 'marksAtOnce'>,
	): { markedUntil: number | null; more: boolean } {
		let { place, sums } = this.#lastBefore(AFTER_ALL);
		let markedUntil: number | null = null;
		for (let n = 0; n < policy.marksAtOnce; n += 1) {
			const next = this.#placeAfter(place, policy.linesPerMark, before);
			if (next === null) return { markedUntil, more: false };
			sums = addSums(sums, this.sumsBetween(place, next));
			place = next;
			markedUntil = next.at;
			this.#sql.rows(
				'INSERT INTO ledger_marks (at, id, lines, change) VALUES (?, ?, ?, ?)',
				place.at,
				place.id,
				sums.lines,
				sums.change,
			);
		}
		return { markedUntil, more: true };
	}

	/** Forgets the marks up to a place, whose sums are known otherwise. */
	forgetUpTo({ at, id }: LedgerPlace): void {
		this.#sql.rows('DELETE FROM ledger_marks WHERE (at, id) <= (?, ?)', at, id);
	}

	/** The newest mark up to a place; where there is none, the last line that was pruned. */
	#lastBefore({ at, id }: LedgerPlace): { place: LedgerPlace; sums: SumsUpTo } {
		const [mark] = this.#sql.rows(
			'SELECT * FROM ledger_marks WHERE (at, id) <= (?, ?) ORDER BY at DESC, id DESC LIMIT 1',
			at,
			id,
		);
		if (mark !== undefined)
			return {
				place: placeOf(mark),
				sums: { lines: numberOf(mark, 'lines'), change: numberOf(mark, 'change') },
			};
		const [pruned] = this.#sql.rows(
			'SELECT pruned_at AS at, pruned_id AS id, pruned_lines AS lines, pruned_change AS change FROM ledger_files',
		);
		assert(pruned !== undefined, 'the row is made with the table');
		return {
			place: placeOf(pruned),
			sums: { lines: numberOf(pruned, 'lines'), change: numberOf(pruned, 'change') },
		};
	}

	/** The last of so many lines after a place, all made before `before`; null: there are fewer. */
	#placeAfter({ at, id }: LedgerPlace, lines: number, before: number): LedgerPlace | null {
		const [row] = this.#sql.rows(
			'SELECT at, id FROM ledger WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT 1 OFFSET ?',
			at,
			id,
			before,
			lines - 1,
		);
		return row === undefined ? null : placeOf(row);
	}
}

export function addSums(a: SumsUpTo, b: SumsUpTo): SumsUpTo {
	return { lines: a.lines + b.lines, change: a.change + b.change };
}

/** The place of a row of the ledger. */
export function placeOf(row: Row): LedgerPlace {
	return { at: numberOf(row, 'at'), id: textOf(row, 'id') };
}
