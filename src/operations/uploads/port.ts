import type { Choice } from '../../core/upload/choice.ts';
import type { FileFormat } from '../../core/upload/text.ts';
import type { Inspection } from '../../core/upload/inspect.ts';

/** The facts of an uploaded file. */
export interface Upload {
	readonly uploadId: string;
	/** The name on the person's computer, cut to 255 characters. */
	readonly fileName: string;
	readonly octets: number;
	/** Epoch milliseconds. */
	readonly stagedAt: number;
	readonly inspection: Inspection;
	/** The names of the sheets of a workbook with several, the addresses on each, and the index of the sheet in use. */
	readonly sheets?: readonly string[];
	/** As in `ListFile`. Left out by earlier versions. */
	readonly perSheet?: readonly (number | null)[];
	readonly sheet?: number;
	/** The job that was made from it, whereupon the file itself was removed. Null: not started. */
	readonly jobId: string | null;
}

/**
 * The description of the file that a job was made from. Beside it lies the text of its rows: the file itself, a sheet
 * of a workbook as CSV, or the file with a row per address, if it has several columns of them.
 */
export interface OriginalList extends Choice {
	readonly fileName: string;
	readonly format: FileFormat;
	/** Number of columns of the widest row. */
	readonly columns: number;
	/** A number for each row of data, for `readPlace`. */
	readonly places: readonly number[];
}

export type Octets = AsyncIterable<Uint8Array>;
