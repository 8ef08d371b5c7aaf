import type { SummaryName } from '../../core/jobs/kinds.ts';

/** The objects of a job in R2, under `jobs/<id>/`. An object that exists is never overwritten. */
export interface JobBlobs {
	/** Stores the addresses, one text per part. Each text is taken when the one before is stored. */
	putInput(jobId: string, parts: Iterable<string>): Promise<void>;
	/** Null: the input is gone. */
	readPart(jobId: string, part: number): Promise<string | null>;
	/** Stores the pages of rejected elements, as `putInput` does the parts. */
	putRejected(jobId: string, pages: Iterable<string>): Promise<void>;
	/** Null: none were stored, or they are gone. */
	readRejected(jobId: string, page: number): Promise<string | null>;
	/** Stores the rows of a part's attempt unless some are stored, and returns the stored ones. */
	putAttempt(jobId: string, part: number, attempt: number, rows: string): Promise<string>;
	readAttempt(jobId: string, part: number, attempt: number): Promise<string | null>;
	/** The number of each part's last attempt, in the order of the parts. */
	lastAttempts(jobId: string, parts: number): Promise<readonly number[]>;
	/** `list` is `all`, a status or `catch_all`. */
	putPage(jobId: string, list: string, page: number, rows: string): Promise<void>;
	readPage(jobId: string, list: string, page: number): Promise<string | null>;
	/** Stores a text about the job as a whole. */
	putSummary(jobId: string, name: SummaryName, text: string): Promise<void>;
	readSummary(jobId: string, name: SummaryName): Promise<string | null>;
	/** Removes everything of a job. */
	remove(jobId: string): Promise<void>;
}
