import { refusal } from './file-kind.ts';
import type { Choice, Inspection } from './inspect.ts';
import type { FileFormat } from './text.ts';

/** The facts of an uploaded file. */
export interface Upload {
	readonly uploadId: string;
	/** The name on the person's computer, cut to 255 characters. */
	readonly fileName: string;
	readonly octets: number;
	/** Epoch milliseconds. */
	readonly stagedAt: number;
	readonly inspection: Inspection;
	/** The sheets of a workbook; none for other files. */
	readonly sheets: readonly SheetFacts[];
	/** The job that was made from it, whereupon the file itself was removed. Null: not started. */
	readonly jobId: string | null;
}

/** A sheet of a workbook. */
export interface SheetFacts {
	readonly name: string;
	/** How many addresses it holds, as far as its first cells tell; null: it was not read, or can't be. */
	readonly addresses: number | null;
	/** It is the list. */
	readonly isChosen: boolean;
}

/**
 * The description of the file that a job was made from. Beside it lies the text of its rows: the file itself, or the
 * sheet of a workbook as CSV.
 */
export interface OriginalList extends Choice {
	readonly fileName: string;
	readonly format: FileFormat;
	/** Number of columns of the widest row. */
	readonly columns: number;
	/** A number for each row of data, for `readPlace`. */
	readonly places: readonly number[];
}

/** The way to read a file: the person's, else our guess. Throws `ServiceError` for a column that does not exist. */
export function chosenOf(inspection: Inspection, wanted: Partial<Choice>): Choice {
	const { column = inspection.column, hasHeader = inspection.hasHeader } = wanted;
	if (inspection.columns[column] !== undefined) return { column, hasHeader };
	throw refusal(`The file has ${inspection.columns.length} columns. Choose one of them.`);
}
