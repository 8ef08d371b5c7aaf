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

/** What is said of an `unknown` beside its texts. */
interface Rules {
	readonly silence: Silence;
	/**
	 * For admins. `ours`: our capacity, our address or our code. `theirs`: the recipient's side did not say. `chosen`: an
	 * owner or a limit kept us from asking.
	 */
	readonly fault: 'ours' | 'theirs' | 'chosen';
	/** Whether a running list asks again; its attempts are minutes apart. Left out: it does not. */
	readonly retry?: Retry | undefined;
	/**
	 * When another question may bring an answer: after minutes where the trouble passes by itself, after hours where it
	 * takes longer. Left out: another question changes nothing.
	 */
	readonly retryAfterSeconds?: number | 'next_day';
}

/**
 * @param reason the sentence for callers. Public clients match some of the words: the contract tests list them
 * @param short a few words, for tables and charts
 */
const decided =
	<S extends Exclude<Status, 'unknown'>>(status: S) =>
	(reason: string, short: string) =>
		({ status, reason, short }) as const;
const deliverable = decided('deliverable');
const undeliverable = decided('undeliverable');
const risky = decided('risky');

/** Its reason also names the party that could not or would not answer. The advice to people promises nothing. */
function unknown<const R extends Rules>(reason: string, short: string, advice: string, rules: R) {
	return { status: 'unknown', reason, short, advice, ...rules } as const;
}

const HOUR = 3_600;

/** All sub_statuses, each with its texts and rules. */
export const SUB_STATUSES = {
	accepted_email: deliverable('The mail server accepts this mailbox', 'Mailbox exists'),
	catch_all_valid: deliverable(
		'The domain accepts every address, and the evidence speaks for this one',
		'Catch-all, likely a real mailbox',
	),

	invalid_domain: undeliverable('The domain does not exist', 'Domain does not exist'),
	no_mx_records: undeliverable('The domain has no mail server', 'Domain has no mail server'),
	does_not_accept_mail: undeliverable(
		'The domain says that it accepts no mail (null MX)',
		'Domain accepts no mail',
	),
	unroutable_mx: undeliverable(
		'None of the mail servers that the domain names has a public address',
		'Mail server has no public address',
	),
	rejected_email: undeliverable('Mailbox does not exist', 'Mailbox does not exist'),
	mailbox_disabled: undeliverable(
		'The mail server says that this mailbox is disabled',
		'Mailbox is disabled',
	),
	catch_all_invalid: undeliverable(
		'The domain accepts invented addresses, and the evidence speaks against this one',
		'Catch-all, likely no mailbox',
	),
	disposable: undeliverable('The domain belongs to a disposable mail service', 'Disposable address'),

	catch_all: risky(
		'The domain is a catch-all: it accepts every address, so acceptance says nothing about this one',
		'Domain accepts every address',
	),
	mailbox_full: risky('The mailbox exists and is full', 'Mailbox is full'),
	possible_typo: risky(
		"The mail server accepts this address, but its domain is one slip away from a large provider's",
		'Likely a typo in the domain',
	),

	// A server that used up the whole time is probably still slow in 15 minutes, and asking it delays other
	// addresses. A server that asks another one behind it has the reply by then.
	timeout: unknown(
		"The recipient's mail server timed out",
		'Mail server did not answer in time',
		'Verify the address again later, or send with care.',
		{ silence: 'server', fault: 'theirs', retry: 'where_slow', retryAfterSeconds: 300 },
	),
	// The hosts were dialled at two addresses each, while there was time. Dead hosts stay dead, and each attempt takes seconds.
	no_connect: unknown(
		"Recipient's mail server unavailable: none of its hosts could be reached",
		'Mail server could not be reached',
		'The mail server could not be reached from here. Verify the address again later.',
		{ silence: 'unreached', fault: 'theirs', retryAfterSeconds: 4 * HOUR },
	),
	// A 4xx means "try again" (RFC 5321 §4.2.1). A closed connection has no reply: often a 421 was lost. A server that refuses
	// to relay (5xx) will refuse again.
	unavailable_smtp: unknown(
		"Recipient's mail server unavailable: it is not able to answer at the moment",
		'Mail server was unavailable',
		'The mail server has trouble at the moment. Verify the address again later.',
		{ silence: 'server', fault: 'theirs', retry: 'unless_permanent', retryAfterSeconds: 900 },
	),
	// The server accepts the same client after a while (RFC 6647 §2).
	greylisted: unknown(
		"The recipient's mail server asks unknown senders to come back later (greylisting)",
		'Mail server asked us to come back',
		'Verify the address again in 15 minutes, or put it in a list, which asks again by itself.',
		{ silence: 'server', fault: 'theirs', retry: 'yes', retryAfterSeconds: 900 },
	),
	// The pause before the next attempt is what the server asked for.
	rate_limited: unknown(
		"The recipient's mail server is limiting how much we may ask",
		'Mail server limits how much we ask',
		'Verify the address again later, or put it in a list, which keeps to the pace of the mail server.',
		{ silence: 'server', fault: 'ours', retry: 'yes', retryAfterSeconds: 900 },
	),
	antispam_system: unknown(
		"The recipient's mail server refused our question, which says nothing about the mailbox",
		'Mail server refused to say',
		'The mail server would not tell us. Asking again will hardly help: send with care.',
		{ silence: 'server', fault: 'theirs' },
	),
	filtered_or_missing: unknown(
		"This provider refuses a missing mailbox and a recipient's unwanted senders in the same words, so its refusal does not decide",
		'Filtered or missing: same words',
		'The recipient may only refuse strangers. Ask the recipient to allow your domain, or send with care.',
		{ silence: 'server', fault: 'theirs' },
	),
	gateway_protected: unknown(
		'A mail security gateway in front of the recipient refuses to say',
		'Security gateway refused to say',
		'The gateway would not tell us. Asking again will hardly help: send with care.',
		{ silence: 'server', fault: 'theirs' },
	),
	// The deeper check has weighed all evidence; a catch-all task may find more.
	catch_all_unresolved: unknown(
		'This catch-all domain accepts every address. We could not tell whether this mailbox is real',
		'Catch-all, not decided',
		'Leave it out, or send to it last.',
		{ silence: 'nobody', fault: 'theirs' },
	),
	// Another question from a listed address prolongs the block. Only a pause towards the mail host ends it.
	probe_blocked: unknown(
		"Our sending address is blocked by the recipient's mail server: this is about us, not about the mailbox",
		'Mail server blocks our address',
		'The mail server refuses us, and your own mail may well arrive. Verify the address again tomorrow.',
		{ silence: 'server', fault: 'ours', retryAfterSeconds: 24 * HOUR },
	),
	tls_required: unknown(
		"The recipient's mail server demands TLS, and its handshake with us failed",
		'Encryption failed',
		"Asking again will hardly help until the mail server's encryption is repaired: send with care.",
		{ silence: 'server', fault: 'theirs' },
	),
	// operations/jobs decides whether to ask again, because that depends on whose fault the failure was.
	dns_error: unknown(
		"The domain's name servers did not give a usable answer",
		'Name servers gave no answer',
		"The domain's name servers did not tell where its mail goes. Verify the address again later.",
		{ silence: 'names', fault: 'theirs', retryAfterSeconds: 2 * HOUR },
	),
	smtputf8_unsupported: unknown(
		'The part before the @ has letters that this mail server cannot take (it does not offer SMTPUTF8)',
		'Server takes no such letters',
		'Asking again will hardly help. Ask for an address in plain letters if you can.',
		{ silence: 'server', fault: 'theirs' },
	),
	// The address waited for our capacity until its job's deadline, or a single call found none and couldn't wait.
	no_capacity: unknown(
		"We had no capacity left to ask the recipient's mail server: this is about us, not about the mailbox",
		'We had no capacity left',
		'We did not get to ask. Verify the address again later.',
		{ silence: 'unasked', fault: 'ours', retryAfterSeconds: 60 },
	),
	not_asked: unknown(
		'The list was finished before this address had an answer',
		'List was finished early',
		'No mail server was asked. Verify the address again when you need it.',
		{ silence: 'unasked', fault: 'chosen' },
	),
	accepts_everything: unknown(
		'This provider says yes to every address while asked, existing or not',
		'Provider says yes to everyone',
		'Asking again will hardly help: send with care.',
		{ silence: 'unasked', fault: 'theirs' },
	),
	opted_out: unknown(
		"The domain's owner asked us not to ask its mail servers, so we did not",
		'Domain asked not to be checked',
		'Asking again will hardly help: send with care.',
		{ silence: 'unasked', fault: 'chosen' },
	),
	// A list waits for the next day, as it waits for our capacity. A small job or a single call can't wait.
	free_limit: unknown(
		"Too many of this account's questions today had no answer and cost nothing: more are asked from midnight UTC on, or after answers that are charged",
		'Daily limit of free answers',
		'No mail server was asked. Verify the address again tomorrow.',
		{ silence: 'unasked', fault: 'chosen', retryAfterSeconds: 'next_day' },
	),
	unexpected_error: unknown(
		'The conversation with the mail server failed on our side',
		'Failed on our side',
		'This is our fault. Verify the address again later.',
		{ silence: 'ours', fault: 'ours', retryAfterSeconds: 2 * HOUR },
	),
} as const;

export type SubStatus = keyof typeof SUB_STATUSES;
export type SubStatusOf<S extends Status> = {
	[K in SubStatus]: (typeof SUB_STATUSES)[K]['status'] extends S ? K : never;
}[SubStatus];

export function statusOf(subStatus: SubStatus): Status {
	return SUB_STATUSES[subStatus].status;
}

export function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}

/** The row with the fields that only an `unknown` has. */
export function rowOf(subStatus: SubStatus): Partial<Rules> & { readonly status: Status } {
	return SUB_STATUSES[subStatus];
}

/** After how many seconds from `now` (epoch ms) another question may bring an answer; null: it changes nothing. */
export function retryAfterOf(subStatus: SubStatus, replyCode: string | null, now: number): number | null {
	const { retry, retryAfterSeconds = null } = rowOf(subStatus);
	// A server that answered 5xx will say the same again.
	if (retry === 'unless_permanent' && replyCode?.startsWith('5') === true) return null;
	return retryAfterSeconds === 'next_day' ? secondsToNextDay(now) : retryAfterSeconds;
}

/** Scores from this one up belong to `deliverable` alone. */
export const VALID_FROM = 80;
/** Scores up to this one belong to `undeliverable` alone. */
export const INVALID_UP_TO = 20;

export const CATCH_ALL_VERDICTS = ['valid', 'invalid', 'unknown'] as const;
export type CatchAllVerdict = (typeof CATCH_ALL_VERDICTS)[number];

/** The verdict of a catch-all score, by definition. */
export function verdictOf(score: number): CatchAllVerdict {
	if (score >= VALID_FROM) return 'valid';
	return score <= INVALID_UP_TO ? 'invalid' : 'unknown';
}

const BETWEEN = { least: INVALID_UP_TO + 1, most: VALID_FROM - 1 } as const;

/** The scores of each status. A sort by score never puts a lower status above a higher one. */
export const BANDS = {
	deliverable: { least: VALID_FROM, most: 100 },
	undeliverable: { least: 0, most: INVALID_UP_TO },
	risky: BETWEEN,
	unknown: BETWEEN,
} as const satisfies Readonly<Record<Status, { readonly least: number; readonly most: number }>>;

/** The score, or the nearest one of the status. */
export function scoreWithin(status: Status, score: number): number {
	const { least, most } = BANDS[status];
	return Math.min(most, Math.max(least, score));
}

export const ACTIONS = ['send', 'hold', 'retry', 'drop'] as const;
export type Action = (typeof ACTIONS)[number];

const ADVICE = { deliverable: 'send', undeliverable: 'drop', risky: 'hold' } as const;

/** The advice to a sender. It is `send` exactly where the address is valid. */
export function actionOf(status: Status, retryAfter: number | null): Action {
	if (status === 'unknown') return retryAfter === null ? 'hold' : 'retry';
	return ADVICE[status];
}
