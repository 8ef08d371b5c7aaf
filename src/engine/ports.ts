import type { Resolver } from '../core/dns/resolver.ts';
import type { Asker } from '../core/turns/who.ts';
import type { Asked, Question } from './question.ts';

export type { Resolver };

/** The time, and waiting. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves early if the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness for recipients that surely do not exist. */
export interface Randomness {
	/** `length` lower-case letters. */
	word(length: number): string;
}

/** Recent answers of domains, used to doubt new ones. They never become a fact about an address. */
export interface DomainMemory {
	/** Records an answer. `doubtful`: the domain suddenly refuses every mailbox; believed if it still does so later. */
	answered(
		domain: string,
		answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
		asker: Asker,
	): 'believed' | 'doubtful';
}

/** The domains whose owners asked us not to ask their mail servers. */
export interface OptOuts {
	/** Whether an opt-out covers the domain, or the mail host. Throws `ServiceError` when the list can't be read. */
	covers(name: string): Promise<boolean>;
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
