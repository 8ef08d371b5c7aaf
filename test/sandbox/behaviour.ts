/** A recipient as a server sees it in RCPT. */
export interface Recipient {
	readonly address: string;
	/** Lower-cased, without a plus tag. */
	readonly mailbox: string;
	readonly domain: string;
	/** 0 for the first RCPT of the transaction. */
	readonly index: number;
	/** Since this server first saw the same sender with the same recipient (RFC 6647 §2.3). */
	readonly sinceFirstTryMs: number;
	/** Since this server first saw the sender at all. */
	readonly sinceFirstContactMs: number;
}

/** The reply to RCPT. Lines of a longer reply are separated by `\n`, each with its code. */
export type RecipientRule = (recipient: Recipient) => string;

/** What a server does to the wire itself; everything else it does is a reply. */
type Fault =
	| 'silent'
	| 'closes-at-greeting'
	| 'closes-after-rejection'
	| 'closes-mid-reply'
	| 'deaf-to-quit'
	| 'drips'
	| 'floods-line'
	| 'floods-replies'
	| 'invalid-utf8';

/** How one mail server deviates from a plain, correct one (RFC 5321). `{}` is that plain server. */
export interface Behaviour {
	/** Default: `220 <host> ESMTP`. A 4xx or 5xx greeting ends the connection. */
	readonly greeting?: (host: string) => string;
	/** A pause after the first line of the greeting, as postscreen makes it. */
	readonly teaserMs?: number;
	/** Answers EHLO with 502. HELO still works. */
	readonly heloOnly?: true;
	readonly keywords?: readonly string[];
	/** Takes a space after the colon of MAIL and RCPT, as Postfix does unless told otherwise. */
	readonly forgivesSpaces?: true;
	/** The reply to MAIL, if not 250. */
	readonly mail?: string;
	readonly rcpt?: RecipientRule;
	/**
	 * What happens to a client that does not wait for a reply it has to wait for. Default `close`: 554 and the end, as
	 * Postfix does since 3.9. `protocol-error`: each RCPT gets 550 5.5.1, as postscreen does.
	 */
	readonly early?: 'close' | 'tolerate' | 'protocol-error';
	/** A pause before every single reply, also within a pipelined group. */
	readonly tarpitMs?: number;
	/** A pause before each reply to RCPT, as a gateway makes it that asks the server behind it first. */
	readonly calloutMs?: number;
	/** Demands STARTTLS before MAIL (RFC 3207 §4), with a certificate of its own making; or breaks off the handshake. */
	readonly tls?: 'works' | 'breaks';
	readonly fault?: Fault;
}

/** What a current mail server offers. STARTTLS is offered, and answered with 454 by who does not demand it. */
export const MODERN: readonly string[] = [
	'PIPELINING',
	'SIZE 36700160',
	'STARTTLS',
	'ENHANCEDSTATUSCODES',
	'8BITMIME',
	'SMTPUTF8',
];

/** `MODERN` without the keyword. */
export function modernWithout(keyword: string): readonly string[] {
	return MODERN.filter((offered) => offered !== keyword);
}

/** The mailboxes that exist wherever a server knows its users. Anybody else is unknown. */
const MAILBOXES: ReadonlySet<string> = new Set([
	'ada',
	'grace',
	'alan',
	'jane.doe',
	'john.smith',
	'jürgen',
	'info',
	'sales',
	'support',
	'no-reply',
	'postmaster',
]);

/** Accepts. */
export const accept: RecipientRule = () => '250 2.1.5 Ok';

/** Refuses as Postfix does. */
export const refuseUnknown: RecipientRule = ({ address }) =>
	`550 5.1.1 <${address}>: Recipient address rejected: User unknown in virtual mailbox table`;

/** The normal case: the known mailboxes get `known`, everybody else gets `unknown`. */
export function mailboxes(
	known: RecipientRule = accept,
	unknown: RecipientRule = refuseUnknown,
): RecipientRule {
	return (recipient) => (MAILBOXES.has(recipient.mailbox) ? known(recipient) : unknown(recipient));
}

/** A reply that may name the recipient: `{rcpt}` stands for the address as it was asked for. */
export function says(reply: string): RecipientRule {
	return ({ address }) => reply.replaceAll('{rcpt}', address);
}

/** When a server gives a reply that is not a plain one's. */
export const WHEN = {
	/** To everybody whose mailbox does not exist; the others are accepted. */
	strangers: (reply: string): Behaviour => ({ rcpt: mailboxes(accept, says(reply)) }),
	/** The same, and strangers without a dot in their name are accepted too. */
	dotted: (reply: string): Behaviour => ({
		rcpt: mailboxes(accept, (asked) => (asked.mailbox.includes('.') ? says(reply) : accept)(asked)),
	}),
	/** To a mailbox that exists; the others are unknown. */
	members: (reply: string): Behaviour => ({ rcpt: mailboxes(says(reply)) }),
	all: (reply: string): Behaviour => ({ rcpt: says(reply) }),
	/** Instead of a welcome; `{host}` is the host's name. */
	greeting: (reply: string): Behaviour => ({ greeting: (host) => reply.replaceAll('{host}', host) }),
	/** To our envelope sender. */
	mail: (reply: string): Behaviour => ({ mail: reply }),
	/** Never, and the server behind it takes so many milliseconds. */
	callout: (ms: string): Behaviour => ({ calloutMs: Number(ms) }),
};
