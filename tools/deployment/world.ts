/** The result of a program. */
export interface Said {
	readonly status: number;
	/** stdout and stderr. */
	readonly output: string;
	/** stdout alone: where a program prints JSON, nothing else. */
	readonly stdout: string;
	/** Wrangler's notes for other programs: one object for each thing that it did. */
	readonly records: readonly WranglerRecord[];
}

/** A line of the file that WRANGLER_OUTPUT_FILE_PATH names. */
export interface WranglerRecord {
	readonly type: string;
	readonly version_id?: string | null;
}

/** Everything that a deploy needs from outside. */
export interface World {
	/** `asks`: it may read the terminal or standard input, and its output is shown and not kept. */
	readonly wrangler: (args: readonly string[], asks: boolean) => Promise<Said>;
	/** Runs another program, such as git, and keeps its output or shows it. */
	readonly run: (program: string, args: readonly string[], output: 'keep' | 'show') => Promise<Said>;
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	readonly say: (line: string) => void;
}

/** The deploy stops here. Finished steps stay done; the same command continues after them. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	/** The operator's next step. */
	readonly advice: string;

	constructor(problem: string, advice: string) {
		super(problem);
		this.advice = advice;
	}
}
