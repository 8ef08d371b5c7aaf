import { refusal } from './file-kind.ts';
import type { Inspection } from './inspect.ts';
import type { Row } from './row-reader.ts';

/** How a file is read: as the person chose, or else as we guessed. */
export interface Choice {
	/** Index of the column of addresses, from 0. */
	readonly column: number;
	/** The first row is a header, not data. */
	readonly hasHeader: boolean;
}

/** The choice for a file: the person's, else our guess. Throws `ServiceError` for a column that does not exist. */
export function chosenOf(inspection: Inspection, said: Partial<Choice>): Choice {
	const { column = inspection.column, hasHeader = inspection.hasHeader } = said;
	if (Number.isInteger(column) && column >= 0 && column < inspection.columns.length)
		return { column, hasHeader };
	throw refusal(`The file has ${inspection.columns.length} columns. Choose one of them.`);
}

/** Separates the header, where the file has one, from the rows of data. */
export class HeaderSplit {
	readonly #hasHeader: boolean;
	#header: readonly string[] | null = null;

	constructor({ hasHeader }: Pick<Choice, 'hasHeader'>) {
		this.#hasHeader = hasHeader;
	}

	/** Null: there is no header, or it was not read yet. */
	get header(): readonly string[] | null {
		return this.#header;
	}

	/** Those of these rows that are data. */
	dataOf(rows: readonly Row[]): readonly Row[] {
		const [first, ...rest] = rows;
		if (!this.#hasHeader || this.#header !== null || first === undefined) return rows;
		this.#header = first.cells;
		return rest;
	}
}
