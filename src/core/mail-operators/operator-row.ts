import type { Budget } from '../politeness/budget.ts';
import type { TlsPlan } from '../smtp/session-plan.ts';

/** What the operator does for the domain. A hosting row may also be an Internet access or a public data centre. */
export type OperatorKind = 'mailbox' | 'gateway' | 'forwarder' | 'hosting';

/** How a mail route answers for unknown recipients: the classes that the catch-all scorecard knows. */
export type RouteClass =
	| 'validating'
	| 'hosting'
	| 'microsoft365'
	| 'seg_callahead'
	| 'seg'
	| 'blind'
	| 'unknown';

/** What an operator says in words of its own, which would mean something else from anybody else. */
export type ReplyHabit =
	/** `550 5.4.1 Access denied` to a recipient that the tenant does not have. */
	| 'denies_access_to_unknown'
	/** `550 5.7.1`, the status of a policy, to an unknown user. */
	| 'calls_unknown_policy';

/** For whom a mail host speaks. `customer`: for the one customer of the operator who has it for himself. */
export type SpeaksFor = 'itself' | 'operator' | 'customer';

/** All that we know of an operator. What is left out is as with anybody. */
export interface OperatorRow {
	readonly kind: OperatorKind;
	readonly routeClass: RouteClass;
	/**
	 * The names of its mail servers, each with everything below it; `*` stands for any part of one label. Only names that
	 * nobody but the operator gives to machines, so that nobody else can speak for it or pass for it: an Internet
	 * provider's own domain names its subscribers' lines as well, and a hoster's its customers' servers.
	 */
	readonly hosts: string;
	/** The public word for it in results, where that is not its name; null: it has none. */
	readonly word?: string | null;
	/** How many recipients it judges honestly in one transaction. */
	readonly perTransaction?: number;
	/** Its answer to RCPT may take longer than anybody's, because it asks the server behind it first. */
	readonly isSlowAtRcpt?: boolean;
	readonly replyHabits?: readonly ReplyHabit[];
	/** The DKIM selectors that it gives to its customers. */
	readonly dkimSelectors?: readonly string[];
	/**
	 * Whose word it is when a host of it turns us away before RCPT. Left out: a mailbox host's or gateway's hosts speak for
	 * the operator, which has one standing with us; anybody else's for themselves. `customer`: its customers have a host
	 * each, with rules of their own.
	 */
	readonly speaksFor?: SpeaksFor;
	/** What it bears from one source address. Left out: as others of its kind (`core/politeness/budgets.ts`). */
	readonly budget?: Budget;
	/** Left out: TLS only where a server demands it. */
	readonly tls?: Extract<TlsPlan, 'when_offered'>;
}
