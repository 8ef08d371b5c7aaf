/** What a program has said. */
export interface Said {
	readonly status: number;
	/** stdout and stderr. */
	readonly output: string;
	/** stdout alone: where a program prints JSON, nothing else. */
	readonly stdout: string;
	/** What Wrangler notes for other programs, one object for each thing that it did. */
	readonly records: readonly WranglerRecord[];
}

/** A line of the file that WRANGLER_OUTPUT_FILE_PATH names. */
export interface WranglerRecord {
	readonly type: string;
	readonly version_id?: string | null;
}

/** What a deploy needs of the world. */
export interface World {
	readonly wrangler: (args: readonly string[]) => Promise<Said>;
	/** Another program, such as git. Its output is shown where it is told to. */
	readonly run: (program: string, args: readonly string[], output: 'keep' | 'show') => Promise<Said>;
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	readonly say: (line: string) => void;
}

/** The deploy goes no further. What was done before stays done, and can be done again. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	/** What to do now. */
	readonly advice: string;

	constructor(problem: string, advice: string) {
		super(problem);
		this.advice = advice;
	}
}
