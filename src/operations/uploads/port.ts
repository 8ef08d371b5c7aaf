import type { Choice } from '../../core/upload/choice.ts';
import type { FileFormat } from '../../core/upload/format.ts';
import type { Inspection } from '../../core/upload/inspect.ts';

/** A file that waits to be started, as its account knows it. */
export interface Upload {
	readonly uploadId: string;
	/** As the person's computer calls it, cut to 255 characters. */
	readonly fileName: string;
	readonly octets: number;
	/** Epoch milliseconds. */
	readonly stagedAt: number;
	readonly inspection: Inspection;
	/** The job that was made from it: from then on the file itself is gone. Null: not started. */
	readonly jobId: string | null;
}

/** What a job remembers of the file it was made from. */
export interface OriginalList extends Choice {
	readonly fileName: string;
	readonly format: FileFormat;
	/** Columns of its widest row. */
	readonly columns: number;
	/** A number for each row of data: `readPlace`. */
	readonly places: readonly number[];
}

export type Octets = AsyncIterable<Uint8Array>;

/** The reading of whole files, which takes the processor for as long as some hundred calls: one file at a time. */
export interface FileWork {
	/** Does the work when its turn has come. It calls `pause` between its steps, which lets other requests go first. */
	run<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<T>;
}

/** Uploaded files in R2: under `uploads/<accountId>/<uploadId>` until they are started, then beside their job. */
export interface UploadBlobs {
	put(accountId: string, upload: Upload, file: Uint8Array): Promise<void>;
	/** Null: there is none in this account. */
	find(accountId: string, uploadId: string): Promise<Upload | null>;
	/** Null: started or removed. */
	read(accountId: string, uploadId: string): Promise<Octets | null>;
	/** Copies the file to `jobs/<jobId>/`, where it disappears with the job. False: it is no longer there. */
	keepForJob(accountId: string, uploadId: string, jobId: string, original: OriginalList): Promise<boolean>;
	/** Notes the job and removes the file. */
	markStarted(accountId: string, upload: Upload, jobId: string): Promise<void>;
	/** Null: the job was not made from a file, or is gone. */
	findOriginal(jobId: string): Promise<OriginalList | null>;
	/** Whether the job was made from a file that is still there, without reading it. */
	hasOriginal(jobId: string): Promise<boolean>;
	readOriginal(jobId: string): Promise<Octets | null>;
	remove(accountId: string, uploadId: string): Promise<void>;
	/** Removes all uploads of an account. */
	removeAllOf(accountId: string): Promise<void>;
	/** Removes what was written before a time in epoch milliseconds, and says how many objects that were. */
	removeOlderThan(at: number): Promise<number>;
}
