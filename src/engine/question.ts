import type { Party } from '../core/turns/who.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import type { Finding } from '../core/verification/finding.ts';

/** Recipients of the domain that surely do not exist. */
export interface Invented {
	readonly first: string;
	/** Asked to confirm the first one's answer, where `deep` says so. */
	readonly further: readonly string[];
}

/** A mail host and the addresses at which it may be dialled. */
export interface QuestionHost {
	readonly name: string;
	/** Only those that may be dialled, in the order in which they are tried. */
	readonly addresses: readonly string[];
	/** The DNS look-up of its addresses failed. */
	readonly failed: boolean;
}

/**
 * How soon the answer is needed. `single`: a caller is waiting, so a deferral is worth asking again after a few seconds.
 * `small`: a job that is promised within half a minute. `list`: a deferred address is asked about later instead. All
 * but `single` keep to the pace that the mail operator tolerates.
 */
export type QuestionClass = 'single' | 'small' | 'list';

/** A question for a domain's mail hosts. Plain data: it is sent to a prober. */
export interface Question extends Party {
	readonly domain: string;
	/** Best preference first. */
	readonly hosts: readonly QuestionHost[];
	/** There is no MX: the only host is the domain itself, whose name identifies no mail operator. */
	readonly implicit: boolean;
	/** `local@domain`, each once. */
	readonly targets: readonly string[];
	/** The targets have non-ASCII local parts, which MAIL declares for all recipients (RFC 6531 §3.4). */
	readonly needsSmtputf8: boolean;
	/** Null: the domain's answer to invented recipients is known. */
	readonly invented: Invented | null;
	readonly deep: DeepCheck;
	/** Use a new connection: a server's wording may differ for the first recipient of a connection. */
	readonly fresh: boolean;
	readonly class: QuestionClass;
	/** How many more mailboxes of the domain the asker has: a host without room for these has none for those. Left out: none. */
	readonly behind?: number | undefined;
	/** The answer tells the steps that led to it. Left out: it does not. */
	readonly explain?: boolean | undefined;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

/** The answer to a question. Plain data too. */
export interface Asked {
	/** In the order of the targets; null: the time was up before a host was asked about the target. */
	readonly answers: readonly (Finding | null)[];
	/** The steps to the answers, if they were asked for, in order. */
	readonly evidence: readonly TimedStep[];
	/** The recipients that mail hosts replied to, invented ones included. */
	readonly recipients: number;
}
