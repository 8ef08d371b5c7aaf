/** What R2 holds of a job, under `jobs/<id>/`. Everything written once keeps its first content. */
export interface JobBlobs {
	/** The addresses, one text a part, each taken when the one before is put away. */
	putInput(jobId: string, parts: Iterable<string>): Promise<void>;
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
	/** What a list says about its addresses as a whole: a text of the caller's. */
	putFacts(jobId: string, facts: string): Promise<void>;
	readFacts(jobId: string): Promise<string | null>;
	/** How often each score came up in a task: a text of the caller's. */
	putScores(jobId: string, scores: string): Promise<void>;
	readScores(jobId: string): Promise<string | null>;
	/** Removes everything of a job. */
	remove(jobId: string): Promise<void>;
}
