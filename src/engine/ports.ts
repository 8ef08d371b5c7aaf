import type { Asked, Question } from '../wire/prober.ts';

/** The time, and waiting. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves early if the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Holds the conversations with mail hosts, on a machine whose port 25 is open. */
export interface Prober {
	/**
	 * Asks a domain's mail hosts. Throws `ServiceError`: `upstream_unavailable` if no prober is configured or none can
	 * serve, `upstream_nonsense` if the answer is not a prober's.
	 *
	 * @param foundCatchAll called if a host shows itself as a catch-all while the question is still asked
	 */
	ask(question: Question, foundCatchAll?: () => void): Promise<Asked>;
}
