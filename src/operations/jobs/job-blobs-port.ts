import type { SummaryName } from '../../core/jobs/kinds/kind.ts';

/** What R2 holds of a job, under `jobs/<id>/`. Everything written once keeps its first content. */
export interface JobBlobs {
	/** The addresses, one text a part, each taken when the one before is put away; and whose they are. */
	putInput(jobId: string, accountId: string, parts: Iterable<string>): Promise<void>;
	/** Null: the input is gone. */
	readPart(jobId: string, part: number): Promise<string | null>;
	/** Stores the rows of a part's attempt where none are stored, and gives what is stored then. */
	putAttempt(jobId: string, part: number, attempt: number, rows: string): Promise<string>;
	readAttempt(jobId: string, part: number, attempt: number): Promise<string | null>;
	/** The number of each part's last attempt, in the order of the parts. */
	lastAttempts(jobId: string, parts: number): Promise<readonly number[]>;
	/** `list` is `all`, a status or `catch_all`. */
	putPage(jobId: string, list: string, page: number, rows: string): Promise<void>;
	readPage(jobId: string, list: string, page: number): Promise<string | null>;
	/** What is kept of the job as a whole: texts of the caller's. */
	putSummary(jobId: string, name: SummaryName, text: string): Promise<void>;
	readSummary(jobId: string, name: SummaryName): Promise<string | null>;
	/** Removes everything of a job. */
	remove(jobId: string): Promise<void>;
}

/** A job of which the bucket holds something, whether it ever came to be or not. */
export interface KeptJob {
	readonly jobId: string;
	/** Null: it is not written there, as of an earlier version, or where the input is gone. */
	readonly accountId: string | null;
	/** When the input was put there, or the youngest of what else there is. Epoch milliseconds. */
	readonly keptSince: number;
}

/** The jobs that the bucket holds anything of, for whoever looks through all of them. */
export interface KeptJobs {
	/** Some of them in the order of their ids, those after the given one. `isEnd`: no other follows. */
	list(
		after: string | null,
		most: number,
	): Promise<{ readonly jobs: readonly KeptJob[]; readonly last: string | null; readonly isEnd: boolean }>;
	/** How far somebody looked the last time: an id of a job; null: to the end. */
	readPlace(): Promise<string | null>;
	keepPlace(place: string | null): Promise<void>;
}
