/** What R2 holds of a job, under `jobs/<id>/`. Everything written once keeps its first content. */
export interface JobBlobs {
	/** The addresses, one text a part. */
	putInput(jobId: string, parts: readonly string[]): Promise<void>;
	/** Null: the input is gone. */
	readPart(jobId: string, part: number): Promise<string | null>;
	/** Stores the rows of a part's attempt where none are stored, and gives what is stored then. */
	putAttempt(jobId: string, part: number, attempt: number, rows: string): Promise<string>;
	readAttempt(jobId: string, part: number, attempt: number): Promise<string | null>;
	/** The rows of every part's last attempt, in the order of the parts. */
	readLastAttempts(jobId: string, parts: number): Promise<readonly string[]>;
	/** `list` is `all`, a status or `catch_all`. */
	putPage(jobId: string, list: string, page: number, rows: string): Promise<void>;
	readPage(jobId: string, list: string, page: number): Promise<string | null>;
	/** Removes everything of a job. */
	remove(jobId: string): Promise<void>;
}
