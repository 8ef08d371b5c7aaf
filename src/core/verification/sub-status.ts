import { secondsToNextDay } from '../../lib/time.ts';

export const STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The party that gave no answer. `server`: the mail server, which we reached; `unreached`: no host of the domain
 * could be reached; `names`: the domain's name servers; `unasked`: we asked no server; `ours`: a fault of ours. `nobody`:
 * the mail server said yes, which proves nothing.
 */
export type Silence = 'server' | 'unreached' | 'names' | 'unasked' | 'ours' | 'nobody';

/**
 * Whether another question may bring an answer. `unless_permanent`: yes after a 4xx reply or none, no after a 5xx reply.
 * `where_slow`: yes at an operator that is known to take its time.
 */
export type Retry = 'yes' | 'unless_permanent' | 'where_slow';

interface Decided {
	readonly status: Exclude<Status, 'unknown'>;
	/** The sentence for callers. Public clients match some of the words: the contract tests list them. */
	readonly reason: string;
	/** A few words, for tables and charts. */
	readonly short: string;
}

interface Unknown {
	readonly status: 'unknown';
	/** Also names the party that could not or would not answer. */
	readonly reason: string;
	readonly short: string;
	/** Advice for people about the next step. It promises nothing. */
	readonly advice: string;
	readonly silence: Silence;
	/**
	 * For admins. `ours`: our capacity, our address or our code. `theirs`: the recipient's side did not say. `chosen`: an
	 * owner or a limit kept us from asking.
	 */
	readonly fault: 'ours' | 'theirs' | 'chosen';
	/** Whether a running list asks again; its attempts are minutes apart. Left out: it does not. */
	readonly retry?: Retry;
	/**
	 * When another question may bring an answer: after minutes where the trouble passes by itself, after hours where it
	 * takes longer. Left out: another question changes nothing.
	 */
	readonly retryAfterSeconds?: number | 'next_day';
}

const HOUR = 3_600;

/** All sub_statuses, each with its texts and rules. */
export const SUB_STATUSES = {
	accepted_email: {
		status: 'deliverable',
		reason: 'The mail server accepts this mailbox',
		short: 'Mailbox exists',
	},
	catch_all_valid: {
		status: 'deliverable',
		reason: 'The domain accepts every address, and the evidence speaks for this one',
		short: 'Catch-all, likely a real mailbox',
	},

	invalid_domain: {
		status: 'undeliverable',
		reason: 'The domain does not exist',
		short: 'Domain does not exist',
	},
	no_mx_records: {
		status: 'undeliverable',
		reason: 'The domain has no mail server',
		short: 'Domain has no mail server',
	},
	does_not_accept_mail: {
		status: 'undeliverable',
		reason: 'The domain says that it accepts no mail (null MX)',
		short: 'Domain accepts no mail',
	},
	unroutable_mx: {
		status: 'undeliverable',
		reason: 'None of the mail servers that the domain names has a public address',
		short: 'Mail server has no public address',
	},
	rejected_email: {
		status: 'undeliverable',
		reason: 'Mailbox does not exist',
		short: 'Mailbox does not exist',
	},
	mailbox_disabled: {
		status: 'undeliverable',
		reason: 'The mail server says that this mailbox is disabled',
		short: 'Mailbox is disabled',
	},
	catch_all_invalid: {
		status: 'undeliverable',
		reason: 'The domain accepts invented addresses, and the evidence speaks against this one',
		short: 'Catch-all, likely no mailbox',
	},
	disposable: {
		status: 'undeliverable',
		reason: 'The domain belongs to a disposable mail service',
		short: 'Disposable address',
	},

	catch_all: {
		status: 'risky',
		reason: 'The domain is a catch-all: it accepts every address, so acceptance says nothing about this one',
		short: 'Domain accepts every address',
	},
	mailbox_full: {
		status: 'risky',
		reason: 'The mailbox exists and is full',
		short: 'Mailbox is full',
	},
	possible_typo: {
		status: 'risky',
		reason: "The mail server accepts this address, but its domain is one slip away from a large provider's",
		short: 'Likely a typo in the domain',
	},

	// A server that used up the whole time is probably still slow in 15 minutes, and asking it delays other
	// addresses. A server that asks another one behind it has the reply by then.
	timeout: {
		status: 'unknown',
		reason: "The recipient's mail server timed out",
		short: 'Mail server did not answer in time',
		advice: 'Verify the address again later, or send with care.',
		silence: 'server',
		fault: 'theirs',
		retry: 'where_slow',
		retryAfterSeconds: 300,
	},
	// The hosts were dialled at two addresses each, while there was time. Dead hosts stay dead, and each attempt takes seconds.
	no_connect: {
		status: 'unknown',
		reason: "Recipient's mail server unavailable: none of its hosts could be reached",
		short: 'Mail server could not be reached',
		advice: 'The mail server could not be reached from here. Verify the address again later.',
		silence: 'unreached',
		fault: 'theirs',
		retryAfterSeconds: 4 * HOUR,
	},
	// A 4xx means "try again" (RFC 5321 §4.2.1). Two cases have no reply: a closed connection, often after a lost 421, and a
	// sudden run of "no such user" that is in doubt. A server that refuses to relay (5xx) will refuse again.
	unavailable_smtp: {
		status: 'unknown',
		reason: "Recipient's mail server unavailable: it is not able to answer at the moment",
		short: 'Mail server was unavailable',
		advice: 'The mail server has trouble at the moment. Verify the address again later.',
		silence: 'server',
		fault: 'theirs',
		retry: 'unless_permanent',
		retryAfterSeconds: 900,
	},
	// The server accepts the same client after a while (RFC 6647 §2).
	greylisted: {
		status: 'unknown',
		reason: "The recipient's mail server asks unknown senders to come back later (greylisting)",
		short: 'Mail server asked us to come back',
		advice: 'Verify the address again in 15 minutes, or put it in a list, which asks again by itself.',
		silence: 'server',
		fault: 'theirs',
		retry: 'yes',
		retryAfterSeconds: 900,
	},
	// The pause before the next attempt is what the server asked for.
	rate_limited: {
		status: 'unknown',
		reason: "The recipient's mail server is limiting how much we may ask",
		short: 'Mail server limits how much we ask',
		advice:
			'Verify the address again later, or put it in a list, which keeps to the pace of the mail server.',
		silence: 'server',
		fault: 'ours',
		retry: 'yes',
		retryAfterSeconds: 900,
	},
	antispam_system: {
		status: 'unknown',
		reason: "The recipient's mail server refused our question, which says nothing about the mailbox",
		short: 'Mail server refused to say',
		advice: 'The mail server would not tell us. Asking again will hardly help: send with care.',
		silence: 'server',
		fault: 'theirs',
	},
	filtered_or_missing: {
		status: 'unknown',
		reason:
			"This provider refuses a missing mailbox and a recipient's unwanted senders in the same words, so its refusal does not decide",
		short: 'Filtered or missing: same words',
		advice:
			'The recipient may only refuse strangers. Ask the recipient to allow your domain, or send with care.',
		silence: 'server',
		fault: 'theirs',
	},
	gateway_protected: {
		status: 'unknown',
		reason: 'A mail security gateway in front of the recipient refuses to say',
		short: 'Security gateway refused to say',
		advice: 'The gateway would not tell us. Asking again will hardly help: send with care.',
		silence: 'server',
		fault: 'theirs',
	},
	// The deeper check has weighed all evidence; a catch-all task may find more.
	catch_all_unresolved: {
		status: 'unknown',
		reason: 'This catch-all domain accepts every address. We could not tell whether this mailbox is real',
		short: 'Catch-all, not decided',
		advice: 'Leave it out, or send to it last.',
		silence: 'nobody',
		fault: 'theirs',
	},
	// Another question from a listed address prolongs the block. Only a pause towards the mail host ends it.
	probe_blocked: {
		status: 'unknown',
		reason:
			"Our sending address is blocked by the recipient's mail server: this is about us, not about the mailbox",
		short: 'Mail server blocks our address',
		advice:
			'The mail server refuses us, and your own mail may well arrive. Verify the address again tomorrow.',
		silence: 'server',
		fault: 'ours',
		retryAfterSeconds: 24 * HOUR,
	},
	tls_required: {
		status: 'unknown',
		reason: "The recipient's mail server demands TLS, and its handshake with us failed",
		short: 'Encryption failed',
		advice: "Asking again will hardly help until the mail server's encryption is repaired: send with care.",
		silence: 'server',
		fault: 'theirs',
	},
	// operations/jobs decides whether to ask again, because that depends on whose fault the failure was.
	dns_error: {
		status: 'unknown',
		reason: "The domain's name servers did not give a usable answer",
		short: 'Name servers gave no answer',
		advice: "The domain's name servers did not tell where its mail goes. Verify the address again later.",
		silence: 'names',
		fault: 'theirs',
		retryAfterSeconds: 2 * HOUR,
	},
	smtputf8_unsupported: {
		status: 'unknown',
		reason:
			'The part before the @ has letters that this mail server cannot take (it does not offer SMTPUTF8)',
		short: 'Server takes no such letters',
		advice: 'Asking again will hardly help. Ask for an address in plain letters if you can.',
		silence: 'server',
		fault: 'theirs',
	},
	// The address waited for our capacity until its job's deadline, or a single call found none and couldn't wait.
	no_capacity: {
		status: 'unknown',
		reason:
			"We had no capacity left to ask the recipient's mail server: this is about us, not about the mailbox",
		short: 'We had no capacity left',
		advice: 'We did not get to ask. Verify the address again later.',
		silence: 'unasked',
		fault: 'ours',
		retryAfterSeconds: 60,
	},
	not_asked: {
		status: 'unknown',
		reason: 'The list was finished before this address had an answer',
		short: 'List was finished early',
		advice: 'No mail server was asked. Verify the address again when you need it.',
		silence: 'unasked',
		fault: 'chosen',
	},
	accepts_everything: {
		status: 'unknown',
		reason: 'This provider says yes to every address while asked, existing or not',
		short: 'Provider says yes to everyone',
		advice: 'Asking again will hardly help: send with care.',
		silence: 'unasked',
		fault: 'theirs',
	},
	opted_out: {
		status: 'unknown',
		reason: "The domain's owner asked us not to ask its mail servers, so we did not",
		short: 'Domain asked not to be checked',
		advice: 'Asking again will hardly help: send with care.',
		silence: 'unasked',
		fault: 'chosen',
	},
	// A list waits for the next day, as it waits for our capacity. A small job or a single call can't wait.
	free_limit: {
		status: 'unknown',
		reason:
			"Too many of this account's questions today had no answer and cost nothing: more are asked from midnight UTC on, or after answers that are charged",
		short: 'Daily limit of free answers',
		advice: 'No mail server was asked. Verify the address again tomorrow.',
		silence: 'unasked',
		fault: 'chosen',
		retryAfterSeconds: 'next_day',
	},
	unexpected_error: {
		status: 'unknown',
		reason: 'The conversation with the mail server failed on our side',
		short: 'Failed on our side',
		advice: 'This is our fault. Verify the address again later.',
		silence: 'ours',
		fault: 'ours',
		retryAfterSeconds: 2 * HOUR,
	},
} as const satisfies Record<string, Decided | Unknown>;

export type SubStatus = keyof typeof SUB_STATUSES;
/** The sub_statuses of one status. */
export type SubStatusOf<S extends Status> = {
	[K in SubStatus]: (typeof SUB_STATUSES)[K]['status'] extends S ? K : never;
}[SubStatus];

/** The status that a sub_status belongs to. */
export function statusOf(subStatus: SubStatus): Status {
	return SUB_STATUSES[subStatus].status;
}

export function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}

/** The row of an `unknown`; null for any other sub_status. */
export function unknownOf(subStatus: SubStatus): Unknown | null {
	return isUnknown(subStatus) ? SUB_STATUSES[subStatus] : null;
}

/** After how many seconds from `now` (epoch ms) another question may bring an answer; null: it changes nothing. */
export function retryAfterOf(subStatus: SubStatus, replyCode: string | null, now: number): number | null {
	const row = unknownOf(subStatus);
	const usual = row?.retryAfterSeconds;
	if (row === null || usual === undefined) return null;
	// A server that answered 5xx will say the same again.
	if (row.retry === 'unless_permanent' && replyCode?.startsWith('5') === true) return null;
	return usual === 'next_day' ? secondsToNextDay(now) : usual;
}
