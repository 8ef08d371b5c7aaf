export const STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

interface Meaning {
	readonly status: Status;
	/**
	 * Shown to callers. For an `unknown` it names the party that could not or would not answer. Public clients match some
	 * of the words: the contract tests list them.
	 */
	readonly reason: string;
}

/** Every sub_status, with its status and its reason. The only such table. */
export const SUB_STATUSES = {
	accepted_email: { status: 'deliverable', reason: 'The mail server accepts this mailbox' },
	catch_all_valid: {
		status: 'deliverable',
		reason: 'The domain accepts every address, and the evidence speaks for this one',
	},

	invalid_domain: { status: 'undeliverable', reason: 'The domain does not exist' },
	no_mx_records: { status: 'undeliverable', reason: 'The domain has no mail server' },
	does_not_accept_mail: {
		status: 'undeliverable',
		reason: 'The domain says that it accepts no mail (null MX)',
	},
	unroutable_mx: {
		status: 'undeliverable',
		reason: 'None of the mail servers that the domain names has a public address',
	},
	rejected_email: { status: 'undeliverable', reason: 'Mailbox does not exist' },
	mailbox_disabled: { status: 'undeliverable', reason: 'The mail server says that this mailbox is disabled' },
	catch_all_invalid: {
		status: 'undeliverable',
		reason: 'The domain accepts invented addresses, and the evidence speaks against this one',
	},
	disposable: { status: 'undeliverable', reason: 'The domain belongs to a disposable mail service' },

	catch_all: {
		status: 'risky',
		reason: 'The domain is a catch-all: it accepts every address, so acceptance says nothing about this one',
	},
	mailbox_full: { status: 'risky', reason: 'The mailbox exists and is full' },
	possible_typo: {
		status: 'risky',
		reason: "The mail server accepts this address, but its domain is one slip away from a large provider's",
	},

	timeout: { status: 'unknown', reason: "The recipient's mail server timed out" },
	no_connect: {
		status: 'unknown',
		reason: "Recipient's mail server unavailable: none of its hosts could be reached",
	},
	unavailable_smtp: {
		status: 'unknown',
		reason: "Recipient's mail server unavailable: it is not able to answer at the moment",
	},
	greylisted: {
		status: 'unknown',
		reason: "The recipient's mail server asks unknown senders to come back later (greylisting)",
	},
	rate_limited: { status: 'unknown', reason: "The recipient's mail server is limiting how much we may ask" },
	antispam_system: {
		status: 'unknown',
		reason: "The recipient's mail server refused our question, which says nothing about the mailbox",
	},
	gateway_protected: {
		status: 'unknown',
		reason: 'A mail security gateway in front of the recipient refuses to say',
	},
	catch_all_unresolved: {
		status: 'unknown',
		reason:
			'The domain is a catch-all: it accepts every address, and the evidence does not decide about this one',
	},
	probe_blocked: {
		status: 'unknown',
		reason:
			"Our sending address is blocked by the recipient's mail server: this is about us, not about the mailbox",
	},
	tls_required: {
		status: 'unknown',
		reason: "The recipient's mail server demands TLS, and its handshake with us failed",
	},
	dns_error: { status: 'unknown', reason: "The domain's name servers did not give a usable answer" },
	smtputf8_unsupported: {
		status: 'unknown',
		reason: 'The address needs internationalised mail (SMTPUTF8), which the mail server does not offer',
	},
	no_capacity: {
		status: 'unknown',
		reason:
			"We had no capacity left to ask the recipient's mail server: this is about us, not about the mailbox",
	},
	not_asked: {
		status: 'unknown',
		reason: 'The list was finished before this address had an answer',
	},
	accepts_everything: {
		status: 'unknown',
		reason: 'This provider says yes to every address while asked, existing or not',
	},
	opted_out: {
		status: 'unknown',
		reason: "The domain's owner asked us not to ask its mail servers, so nobody was asked",
	},
	free_limit: {
		status: 'unknown',
		reason:
			"Too many of this account's questions today had no answer and cost nothing: more are asked from midnight UTC on, or after answers that are charged",
	},
	unexpected_error: { status: 'unknown', reason: 'The conversation with the mail server failed on our side' },
} as const satisfies Record<string, Meaning>;

export type SubStatus = keyof typeof SUB_STATUSES;
/** The sub_statuses of one status. */
export type SubStatusOf<S extends Status> = {
	[K in SubStatus]: (typeof SUB_STATUSES)[K]['status'] extends S ? K : never;
}[SubStatus];

/** The status that a sub_status belongs to. */
export function statusOf(subStatus: SubStatus): Status {
	return SUB_STATUSES[subStatus].status;
}
