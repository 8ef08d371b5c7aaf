import type { Resolver } from '../core/dns/resolver.ts';
import type { Blame, Contact } from '../core/outages/history.ts';
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

/** The resolver's name among the ways out; the others are egresses, by their own names. */
export const RESOLVER = 'resolver';

/** A failed attempt to reach a party. Epoch milliseconds. */
export interface Failure {
	readonly way: string;
	readonly begun: number;
	readonly at: number;
}

/** The recent history of our ways out, so that their outages are not blamed on recipients. */
export interface WaysOut {
	/** Records the outcome of an attempt to reach a party. */
	tried(way: string, contact: Contact): void;
	blame(failure: Failure): Blame;
	/** Whether the way out reached other parties during the failure, or seconds before. */
	workedAround(failure: Failure): boolean;
	/**
	 * Whether another attempt may reach this party (core/outages/parties.ts): the way out reached it in the minutes before
	 * the failure, or the failure was unexplained and the way out reached no other party either.
	 */
	mayRecover(failure: Failure, party: string): boolean;
}
