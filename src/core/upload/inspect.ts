import type { Steps } from '../../lib/steps.ts';
import { ColumnTally, chooseColumn, namesAddresses } from './columns.ts';
import type { ColumnFacts } from './columns.ts';
import { stepsOf } from './encoding.ts';
import { refusal, refuseUnreadable } from './file-kind.ts';
import { findFormat, shown } from './format.ts';
import type { FileFormat } from './format.ts';
import { ROWS_MAX } from './limits.ts';
import { RowReader } from './row-reader.ts';
import type { Row } from './row-reader.ts';

/** What a file is, before anybody chose anything. */
export interface Inspection {
	readonly format: FileFormat;
	readonly hasHeader: boolean;
	readonly columns: readonly ColumnFacts[];
	/** Which of them holds the addresses, as far as we can see. */
	readonly column: number;
	/** Rows with anything in them, without the header. */
	readonly rows: number;
	/** A row with a quotation mark where none may be: rows may have run into one another. Null: none. */
	readonly oddQuoteRow: number | null;
}

/** Reads a whole file. Throws `ServiceError` when it is no list that we can take, with what is wrong and what to do. */
export function* inspectFile(file: Uint8Array): Steps<Inspection> {
	refuseUnreadable(file);
	const format = yield* findFormat(file);
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
		throw refusal(
			'No column of this file holds email addresses. Is it the right file? One row needs one address, such as ada@example.com.',
		);
	}
	return { format, hasHeader, columns, column, rows, oddQuoteRow: reader.oddQuoteRow };
}

class Survey {
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
		// What is too long a list is only counted on.
		if (this.#rows > ROWS_MAX) return;
		for (const [index, cell] of cells.entries()) (this.#tallies[index] ??= new ColumnTally()).add(cell);
	}

	/** A first row that holds no address itself, but stands above some or names them. */
	#isHeader(first: readonly string[]): boolean {
		if (first.some((cell) => cell.includes('@'))) return false;
		const below = this.#tallies.map((tally) => tally.facts(''));
		return first.some(namesAddresses) || below.some(({ addressShare }) => addressShare > 0);
	}
}

function thousands(count: number): string {
	return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
