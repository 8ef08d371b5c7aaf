/** The operator's service. `hosting` includes Internet access providers and public data centres. */
export type OperatorKind = 'mailbox' | 'gateway' | 'forwarder' | 'hosting';

/** How a mail route answers for unknown recipients: the classes of the catch-all scorecard. */
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
	| 'calls_unknown_policy';

/** On whose behalf a mail host refuses us. `customer`: each customer of the operator has hosts with its own rules. */
export type SpeaksFor = 'itself' | 'operator' | 'customer';

/** All that we know of an operator. Fields left out have the general default. */
export interface OperatorRow {
	readonly kind: OperatorKind;
	readonly routeClass: RouteClass;
	/**
	 * The host names of its mail servers, including their subdomains; `*` stands for any part of one label. Only names
	 * that the operator alone gives to machines, so that no other host can pass for it: an Internet provider's own domain
	 * also names its subscribers' lines, and a hosting company's its customers' servers.
	 */
	readonly hosts: string;
	/** Its name in results, where that differs from the row's key; null: it has none. */
	readonly word?: string | null;
	/** How many recipients per transaction get honest answers. */
	readonly perTransaction?: number;
	/** Its RCPT replies may take longer than the usual timeout, because it asks the server behind it first. */
	readonly isSlowAtRcpt?: boolean;
	readonly replyHabits?: readonly ReplyHabit[];
	/** The DKIM selectors that it gives to its customers. */
	readonly dkimSelectors?: readonly string[];
	/**
	 * On whose behalf its hosts refuse us before RCPT. Default: hosts of a mailbox provider or gateway refuse for the
	 * whole operator, with which we have one standing; other hosts for themselves. `customer`: each customer has a host,
	 * with rules of its own.
	 */
	readonly speaksFor?: SpeaksFor;
	/**
	 * By how many exchangers the conversations with it are held; 0: none. One answers a few hundred calls a second at most,
	 * and each conversation takes a part of a second of one line. Left out: one for a mailbox host or gateway, none for
	 * anybody else, about whom calls seldom follow closely on each other.
	 */
	readonly exchangers?: number;
}
