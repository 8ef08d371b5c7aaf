import type { TlsPlan } from '../smtp/session-plan.ts';

/** The questions that one operator, or mail host, takes from one source address that it knows. */
export interface Budget {
	/** Open at once. */
	readonly connections: number;
	/** New ones. */
	readonly connectionsPerMinute: number;
	/** Invented recipients are recipients. */
	readonly recipientsPerMinute: number;
	readonly recipientsPerDay: number;
	/** Then it is closed, and another one opened. */
	readonly recipientsPerConnection: number;
}

/** The operator's service for the domain. A hosting row may also be an Internet access or a public data centre. */
export type OperatorKind = 'mailbox' | 'gateway' | 'forwarder' | 'hosting';

/** Classes of the catch-all scorecard: how a mail route answers for unknown recipients. */
export type RouteClass =
	| 'validating'
	| 'hosting'
	| 'microsoft365'
	| 'seg_callahead'
	| 'seg'
	| 'blind'
	| 'unknown';

/** Replies that mean something else from this operator than from others. */
export type ReplyHabit =
	/** `550 5.4.1 Access denied` to a recipient that the tenant does not have. */
	| 'denies_access_to_unknown'
	/** `550 5.7.1`, the status of a policy, to an unknown user. */
	| 'calls_unknown_policy'
	/** The words for a missing mailbox also where the recipient's own filter refuses a stranger. */
	| 'calls_filtered_unknown'
	/** `552 Too much mail data` to a recipient with a full mailbox. */
	| 'calls_full_too_much_data';

/**
 * The party for which a mail host refuses us. `customer`: each customer of the operator has hosts with its own rules.
 */
export type SpeaksFor = 'itself' | 'operator' | 'customer';

/** The beginning of a `source` where a row's claim has no public source. The page about operators says so. */
export const UNCONFIRMED = 'unconfirmed';

/** The source and date of a row whose operator's reply to RCPT stands in a public collection of bounces. */
export function inBounces(reply: string): Pick<OperatorRow, 'source' | 'date'> {
	return {
		source: `bounces in crisp-oss/email-bounce-parser: "${reply}" in reply to RCPT`,
		date: '2026-11-23',
	};
}

/** Our knowledge about an operator. Fields left out have the general default. */
export interface OperatorRow {
	readonly kind: OperatorKind;
	/** The public place of what the row claims. */
	readonly source: string;
	/** When we last compared the row with its source. */
	readonly date: string;
	readonly routeClass: RouteClass;
	/**
	 * The host names of its mail servers, including their subdomains; `*` stands for any part of one label. Only
	 * names that the operator alone gives to machines, so that no other host can pass for it. An Internet provider's
	 * own domain also names its subscribers' lines, and a hosting company's domain names its customers' servers.
	 */
	readonly hosts: string;
	/** Its name in results, where that differs from the row's key. */
	readonly word?: string;
	/** Its usual name, where that is more than the word with a capital first letter: other capitals, spaces or signs. */
	readonly name?: string;
	/** How many recipients per transaction get honest answers. */
	readonly perTransaction?: number;
	/**
	 * How long a single reply of it may take, in milliseconds, if longer than the usual timeouts: the operator asks the
	 * server behind it first, or keeps callers waiting on purpose. A list waits that long, a single call does not.
	 */
	readonly slowestReplyMs?: number;
	readonly replyHabits?: readonly ReplyHabit[];
	/**
	 * All its mailboxes are at its own domains, where no customer can set up a catch-all. If it accepts an invented
	 * recipient, it does not check recipients (any more), and its acceptance proves nothing.
	 */
	readonly ownDomainsOnly?: true;
	/**
	 * A plus tag leads to the mailbox without it, and letter case does not count, as the operator documents. Left out:
	 * not known.
	 */
	readonly plusTags?: true;
	/**
	 * The party for which its hosts refuse us before RCPT. Default: hosts of a mailbox provider or gateway refuse for
	 * the whole operator, with which we have one standing; other hosts refuse for themselves. `customer`: each
	 * customer has a host, with rules of its own.
	 */
	readonly speaksFor?: SpeaksFor;
	/**
	 * The operator with which it shares its standing and its budget: one company with one defence. Both rows have the
	 * same budget.
	 */
	readonly standsWith?: 'gmx';
	/**
	 * Its own statuses and words about source addresses, at the beginning of a reply. No customer can have it give them, so
	 * they speak for all of it wherever they come.
	 */
	readonly sourceStatuses?: RegExp;
	/** The load that it accepts from one source address. Default: that of its kind (`core/turns/budget.ts`). */
	readonly budget?: Budget;
	/** Default: TLS only where a server demands it. */
	readonly tls?: Extract<TlsPlan, 'when_offered'>;
	/**
	 * The domains of its mailboxes for everybody. `*` stands for every ending with which the domain is known as free mail.
	 */
	readonly publicMail?: {
		readonly domains: string;
		/** Dots in the names of these mailboxes do not count, and all domains are other names of the first. */
		readonly ignoresDots?: true;
	};
}

// Starting points, for a source address that is known: what other senders keep to (KumoMTA's shaping rules, Reacher's
// throttle), and less where an operator is known to be touchy. A prober's operator overrides them.

export const GATEWAY_BUDGET: Budget = {
	connections: 4,
	connectionsPerMinute: 60,
	recipientsPerMinute: 240,
	recipientsPerDay: 40_000,
	recipientsPerConnection: 50,
};

/** For hosting companies, forwarders and mailbox providers. */
export const HOST_BUDGET: Budget = {
	connections: 3,
	connectionsPerMinute: 30,
	recipientsPerMinute: 120,
	recipientsPerDay: 20_000,
	recipientsPerConnection: 50,
};

/** For a mail host of an operator that we don't know. */
export const STRANGER_BUDGET: Budget = {
	connections: 2,
	connectionsPerMinute: 10,
	recipientsPerMinute: 60,
	recipientsPerDay: 2_000,
	recipientsPerConnection: 100,
};

/** For operators that block a source which asks for many unknown users, and publish no figures. */
export const CAREFUL: Budget = {
	...STRANGER_BUDGET,
	recipientsPerMinute: 30,
	recipientsPerDay: 5_000,
	recipientsPerConnection: 10,
};

/** For GMX, WEB.DE, mail.com and IONOS together. KumoMTA's shaping rules: 4 connections, 20 deliveries each. */
export const UNITED_INTERNET: Budget = { ...CAREFUL, recipientsPerConnection: 20 };
