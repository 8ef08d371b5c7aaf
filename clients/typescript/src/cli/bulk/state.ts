import { readFileSync } from 'node:fs';
import { UsageError } from '../command.ts';

/** One of the jobs that a list is cut into. */
export interface Part {
	/** Elements that were sent. */
	readonly sent: number;
	/** SHA-256 of them: a run that goes on must send the same. */
	readonly digest: string;
	/** Null: nothing in it is an address, so there is no job. */
	readonly jobId: string | null;
}

/** What has to be known to go on after a kill. It holds no key. */
export interface State {
	readonly version: 1;
	/** The run's own: each part's Idempotency-Key begins with it, so that no part is paid twice. */
	readonly runId: string;
	readonly baseUrl: string;
	readonly input: string;
	readonly column: number;
	readonly catchall: boolean;
	readonly name: string;
	readonly callbackUrl?: string | undefined;
	/** The credits did not reach: the same command goes on, without --resume. */
	readonly lacksCredits: boolean;
	readonly parts: readonly Part[];
}

/** Reads the state that a run has left beside its output. */
export function readState(file: string): State {
	let state: State;
	try {
		state = JSON.parse(readFileSync(file, 'utf8')) as State;
	} catch {
		throw new UsageError(`${file} is missing or damaged, so there is nothing to resume.`);
	}
	if (state.version === 1 && Array.isArray(state.parts)) return state;
	throw new UsageError(`${file} is of another version of this program.`);
}
