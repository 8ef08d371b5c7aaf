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

/** Runs the reading of whole files, which takes as much CPU time as some hundred calls, one file at a time. */
export interface FileWork {
	/** Runs the work when its turn has come. The work calls `pause` between its steps, to let other requests go first. */
	run<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T>;
}

/** Uploaded files in R2: under `uploads/<accountId>/<uploadId>` until they are started, then with their job. */
export interface UploadBlobs {
	/** Stores an upload, or another sheet of its workbook. `workbook`: the file that `text` is a sheet of. */
	put(accountId: string, upload: Upload, text: Uint8Array, workbook?: Uint8Array): Promise<void>;
	/** Null: the account has no such upload. */
	find(accountId: string, uploadId: string): Promise<Upload | null>;
	/** The newest uploads that were not started, at most so many. */
	listOf(accountId: string, most: number): Promise<readonly Upload[]>;
	/** Null: started or removed. */
	read(accountId: string, upload: Pick<Upload, 'uploadId' | 'sheet'>): Promise<Octets | null>;
	/** The workbook of an upload with several sheets. Null: it has none, or was started or removed. */
	readWorkbook(accountId: string, uploadId: string): Promise<Uint8Array | null>;
	/**
	 * Copies the file, or else this text that was made from it, to `jobs/<jobId>/`, where it is deleted with the job.
	 * False: the file is gone.
	 */
	keepForJob(
		accountId: string,
		upload: Pick<Upload, 'uploadId' | 'sheet'>,
		kept: { readonly jobId: string; readonly original: OriginalList; readonly text?: Uint8Array },
	): Promise<boolean>;
	/** Records the job and deletes the file. */
	markStarted(accountId: string, upload: Upload, jobId: string): Promise<void>;
	/** Null: the job was not made from a file, or is gone. */
	findOriginal(jobId: string): Promise<OriginalList | null>;
	/** How many rows of data the job's file has, without reading it. Null: no file, or it is gone. */
	rowsOfOriginal(jobId: string): Promise<number | null>;
	readOriginal(jobId: string): Promise<Octets | null>;
	remove(accountId: string, uploadId: string): Promise<void>;
	/** Removes all uploads of an account. */
	removeAllOf(accountId: string): Promise<void>;
}
