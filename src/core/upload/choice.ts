import { refusal } from './file-kind.ts';
import type { Inspection } from './inspect.ts';
import type { Row } from './row-reader.ts';

/** What the person decided about a file, or left as we found it. */
export interface Choice {
	/** Place of the column of addresses, counted from 0. */
	readonly column: number;
	/** The first row is a header and no data. */
	readonly hasHeader: boolean;
}

/** The choice for a file: what was said, else what we found. Throws `ServiceError` for a column that is not there. */
export function chosenOf(inspection: Inspection, said: Partial<Choice>): Choice {
	const { column = inspection.column, hasHeader = inspection.hasHeader } = said;
	if (Number.isInteger(column) && column >= 0 && column < inspection.columns.length)
		return { column, hasHeader };
	throw refusal(`The file has ${inspection.columns.length} columns. Choose one of them.`);
}

/** Parts a header, where the file has one, from the rows of data. */
export class HeaderSplit {
	readonly #hasHeader: boolean;
	#header: readonly string[] | null = null;

	constructor({ hasHeader }: Pick<Choice, 'hasHeader'>) {
		this.#hasHeader = hasHeader;
	}

	/** Null: there is none, or it was not read yet. */
	get header(): readonly string[] | null {
		return this.#header;
	}

	/** The rows of data among these. */
	dataOf(rows: readonly Row[]): readonly Row[] {
		const [first, ...rest] = rows;
		if (!this.#hasHeader || this.#header !== null || first === undefined) return rows;
		this.#header = first.cells;
		return rest;
	}
}
