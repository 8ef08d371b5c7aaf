import type { Resolver } from '../core/dns/resolver.ts';
import type { Blame, Contact } from '../core/outages/history.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { Asked, Question } from './question.ts';

export type { Resolver };

/** Time, as the operations see it. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Ends early, as if time were up, when the signal says so. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness for recipients that surely do not exist. */
export interface Randomness {
	/** `length` lower-case letters. */
	word(length: number): string;
}

/** What domains said lately, for caution. It never becomes a fact about an address. */
export interface DomainMemory {
	/** `doubtful`: the domain suddenly refuses everybody; to be believed when it still does so later. */
	answered(
		domain: string,
		answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
		asker: Asker,
	): 'believed' | 'doubtful';
}

/** Who holds the conversations with mail hosts, on a machine whose port 25 is open. */
export interface Prober {
	/**
	 * Asks a domain's mail hosts. Throws `ServiceError`: `upstream_unavailable` where none is configured or no way out
	 * serves, `upstream_nonsense` where what answers is none.
	 */
	ask(question: Question): Promise<Asked>;
}

/** The resolver among the ways out; the others are egresses, by their names. */
export const RESOLVER = 'resolver';

/** Somebody was not reached. Epoch milliseconds. */
export interface Failure {
	readonly way: string;
	readonly begun: number;
	readonly at: number;
}

/** What is remembered of our ways out, so that what befalls them is not blamed on recipients. */
export interface WaysOut {
	/** Records the outcome of an attempt to reach a party. */
	tried(way: string, contact: Contact): void;
	blame(failure: Failure): Blame;
	/** Whether the way led others somewhere while it failed, or seconds before. */
	workedAround(failure: Failure): boolean;
	/**
	 * Whether the way may lead to this party (core/outages/parties.ts) when it is tried again: it did in the minutes before
	 * the failure, or it could not say why it failed and led nobody else anywhere either.
	 */
	mayRecover(failure: Failure, party: string): boolean;
}
