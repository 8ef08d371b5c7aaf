import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** The file of a run's state. */
export class StateFile {
	readonly path: string;

	constructor(output: string) {
		this.path = `${output}.mailsonar.json`;
	}

	exists(): boolean {
		return existsSync(this.path);
	}

	read(): State {
		let state: State;
		try {
			state = JSON.parse(readFileSync(this.path, 'utf8')) as State;
		} catch {
			throw new UsageError(`${this.path} is missing or damaged, so there is nothing to resume.`);
		}
		if (state.version === 1 && Array.isArray(state.parts)) return state;
		throw new UsageError(`${this.path} is of another version of this program.`);
	}

	/** Replaces it at once: it is never half written. */
	write(state: State): void {
		const written = `${this.path}.${process.pid}`;
		writeFileSync(written, `${JSON.stringify(state)}\n`, { mode: 0o600 });
		renameSync(written, this.path);
	}

	remove(): void {
		rmSync(this.path, { force: true });
	}
}
