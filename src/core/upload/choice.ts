import { refusal } from './file-kind.ts';
import type { Inspection } from './inspect.ts';
import type { Row } from './row-reader.ts';
import { ADDRESS_COLUMNS_MAX } from './columns.ts';

/** The way to read the rows of a list. */
export interface Choice {
	/** Index of the column of addresses, from 0. */
	readonly column: number;
	/** The first row is a header, not data. */
	readonly hasHeader: boolean;
	/** Other spellings of a mailbox repeat it. */
	readonly byMailbox?: boolean;
}

/** The way to read a file: as the person chose, or else as we guessed. */
export interface FileChoice {
	/** Indexes of the columns of addresses, from 0 and in their order: one or more. */
	readonly columns: readonly number[];
	readonly hasHeader: boolean;
	readonly byMailbox: boolean;
}

/** The choice for a file: the person's, else our guess. Throws `ServiceError` for a column that does not exist. */
export function chosenOf(inspection: Inspection, choice: Partial<FileChoice>): FileChoice {
	const { columns = [], hasHeader = inspection.hasHeader, byMailbox = false } = choice;
	const chosen = [...new Set(columns)].toSorted((a, b) => a - b);
	if (chosen.length === 0) return { columns: [inspection.column], hasHeader, byMailbox };
	if (chosen.length > ADDRESS_COLUMNS_MAX)
		throw refusal(`A list can have ${ADDRESS_COLUMNS_MAX} columns of addresses. Choose fewer.`);
	const exists = (column: number): boolean =>
		Number.isInteger(column) && column >= 0 && column < inspection.columns.length;
	if (chosen.every(exists)) return { columns: chosen, hasHeader, byMailbox };
	throw refusal(`The file has ${inspection.columns.length} columns. Choose one of them.`);
}

/**
 * The way to read the rows of a file with this choice. With several columns, each address has a row, and comes first.
 */
export function rowChoiceOf({ columns, hasHeader, byMailbox }: FileChoice): Choice {
	const [column = 0, ...others] = columns;
	return { column: others.length === 0 ? column : 0, hasHeader, ...(byMailbox ? { byMailbox } : {}) };
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

	/** Returns the rows that are data. */
	dataOf(rows: readonly Row[]): readonly Row[] {
		const [first, ...rest] = rows;
		if (!this.#hasHeader || this.#header !== null || first === undefined) return rows;
		this.#header = first.cells;
		return rest;
	}
}
