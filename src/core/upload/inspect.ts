import type { Steps } from '../../lib/slots.ts';
import { chooseColumn, ColumnTally, namesAddresses } from './columns.ts';
import type { ColumnFacts } from './columns.ts';
import { stepsOf } from './text.ts';
import { NoAddresses, refusal, refuseUnreadable, ROWS_MAX } from './file-kind.ts';
import { findFormat, shown } from './format.ts';
import type { FileFormat } from './text.ts';
import { RowReader } from './row-reader.ts';
import type { Row } from './row-reader.ts';
import { thousands } from '../../lib/text.ts';

/** Our findings about a file, before the person chooses. */
export interface Inspection {
	readonly format: FileFormat;
	readonly hasHeader: boolean;
	readonly columns: readonly ColumnFacts[];
	/** Index of the column that most likely holds the addresses. */
	readonly column: number;
	/** Non-empty rows, without the header. */
	readonly rows: number;
	/** The first row with a misplaced quotation mark, which may have merged rows. Null: none. */
	readonly oddQuoteRow: number | null;
}

/**
 * Reads a whole file of text. `known`: the format, of a text that we wrote. Throws `ServiceError` with the fault and
 * its remedy if we can't accept it as a list.
 */
export function* inspectFile(file: Uint8Array, known?: FileFormat): Steps<Inspection> {
	refuseUnreadable(file);
	const format = known ?? (yield* findFormat(file));
	const reader = new RowReader(format);
	const survey = new Survey();
	for (const step of stepsOf(file)) {
		survey.add(reader.push(step));
		yield;
	}
	survey.add(reader.end());
	const { hasHeader, columns, rows } = survey.result();
	if (rows > ROWS_MAX) {
		throw refusal(
			`The file has ${thousands(rows)} rows; a list can have ${thousands(ROWS_MAX)}. Split it into ${Math.ceil(rows / ROWS_MAX)} files.`,
		);
	}
	const column = chooseColumn(columns);
	if (rows === 0 || column === null) {
		throw new NoAddresses(
			'No column of this file holds email addresses. Is it the right file? One row needs one address, such as ada@example.com.',
		);
	}
	return { format, hasHeader, columns, column, rows, oddQuoteRow: reader.oddQuoteRow };
}

/** Collects what the rows of a list tell about its columns. */
export class Survey {
	#first: Row | null = null;
	#rows = 0;
	readonly #tallies: ColumnTally[] = [];

	add(rows: readonly Row[]): void {
		for (const row of rows) {
			if (this.#first === null) this.#first = row;
			else this.#count(row.cells);
		}
	}

	result(): Pick<Inspection, 'hasHeader' | 'columns' | 'rows'> {
		const first = this.#first?.cells ?? [];
		const hasHeader = this.#isHeader(first);
		if (!hasHeader && this.#first !== null) this.#count(first);
		const width = Math.max(this.#tallies.length, first.length);
		const columns = Array.from({ length: width }, (_, index) => {
			const name = hasHeader ? (first[index] ?? '').trim() : '';
			const tally = this.#tallies[index] ?? new ColumnTally();
			return tally.facts(name === '' ? `Column ${index + 1}` : shown(name));
		});
		return { hasHeader, columns, rows: this.#rows };
	}

	#count(cells: readonly string[]): void {
		this.#rows += 1;
		// For a list that is too long, only the number of rows matters.
		if (this.#rows > ROWS_MAX) return;
		for (const [index, cell] of cells.entries()) (this.#tallies[index] ??= new ColumnTally()).add(cell);
	}

	/** Whether the first row holds no address itself, but the column below it does, or its name says so. */
	#isHeader(first: readonly string[]): boolean {
		if (first.some((cell) => cell.includes('@'))) return false;
		const below = this.#tallies.map((tally) => tally.facts(''));
		return first.some(namesAddresses) || below.some(({ addressShare }) => addressShare > 0);
	}
}
