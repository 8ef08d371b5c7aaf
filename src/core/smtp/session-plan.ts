import type { SmtpReply, Stage } from './reply-reader.ts';

/**
 * When to ask about further invented recipients. `catch_all`: if the server accepted the first ones. `always`: also
 * if it refused them, because one refusal does not rule out a catch-all.
 */
export type DeepCheck = 'never' | 'catch_all' | 'always';

/** The state of a connection, which one conversation leaves to the next. */
export interface Line {
	/** Null: the server has not greeted us yet. */
	greeting: Said | null;
	/** EHLO keywords that we know. */
	keywords: ReadonlySet<string>;
	/** `refused`: the server offered STARTTLS and then refused it. Another conversation would only wait for the same refusal. */
	tls: 'plain' | 'demanded' | 'refused' | 'handshake' | 'secured';
	transactions: number;
	/** Recipients refused. */
	errors: number;
	/** The most recipients of one transaction that the server takes, as far as its replies showed. */
	perTransaction: number;
}

export function newLine(): Line {
	const unused = { transactions: 0, errors: 0, perTransaction: Infinity };
	return { greeting: null, keywords: new Set(), tls: 'plain', ...unused };
}

/** When a conversation starts TLS (RFC 3207), if the server offers it. */
export type TlsPlan =
	/** The connection has no support for TLS, or a handshake just failed. */
	| 'never'
	/** Once the server refuses to continue without TLS. */
	| 'when_demanded'
	/** Before MAIL: the operator treats plaintext connections worse. */
	| 'when_offered';

/** A reply as people read it, in one printable line; or our words for what happened in its place, without a code. */
export interface Said {
	readonly code: number | null;
	readonly enhanced: string | null;
	readonly text: string;
}

/** A reply of the server, or what happened in its place. */
export interface Exchange extends Said {
	/** Epoch ms. */
	readonly at: number;
	readonly step: 'banner' | 'ehlo' | 'tls' | 'mail' | 'rcpt';
	/** Of RCPT; null: it answers another command, or none. */
	readonly recipient: string | null;
}

/** The plan of one conversation: the recipients to ask about, and how. */
export interface SessionPlan {
	/** Our name in EHLO: the egress address's PTR name. */
	readonly heloName: string;
	/** Our envelope sender, without angle brackets. */
	readonly mailFrom: string;
	/** The addresses to verify, as `local@a-label`. */
	readonly targets: readonly string[];
	/**
	 * Addresses that surely do not exist. The first is asked with the first targets: if it is accepted, that means catch-all;
	 * the others confirm it.
	 */
	readonly invented: readonly string[];
	/**
	 * `first`: before the targets, since a server that needs seconds for each recipient may leave no time for the last ones.
	 * `all`: all of them after the targets, as they will have to be confirmed. Left out: the targets come first, so that no
	 * earlier refusal affects their answers.
	 */
	readonly asksInvented?: 'first' | 'all' | undefined;
	readonly deep: DeepCheck;
	/** A target has a non-ASCII local part (RFC 6531 §3.3). */
	readonly needsSmtputf8: boolean;
	/** `never` after a server showed that it can't take a group of commands. */
	readonly pipelining: 'when_offered' | 'never';
	readonly tls: TlsPlan;
	/** How long one reply is waited for at least, in milliseconds: the mail operator is known to need more than usual. */
	readonly replyTimeoutMs: number;
	/** Recipients of one transaction at the most, invented ones included. */
	readonly perTransaction: number;
}

/** How a conversation ended. `complete`: every target has its answer. */
export type SessionEnd =
	| { readonly kind: 'complete' }
	/** Greeting, EHLO or MAIL was refused (4xx or 5xx). */
	| { readonly kind: 'refused'; readonly reply: SmtpReply }
	| { readonly kind: 'smtputf8_missing' }
	/** The server refused STARTTLS though it demands TLS, or the handshake failed. */
	| { readonly kind: 'tls_failed' }
	/** The connection reached our limits or the server's: the remaining targets need another one. */
	| { readonly kind: 'limit' }
	| { readonly kind: 'closed' }
	| { readonly kind: 'timeout' }
	/** What the server sent was no SMTP, no answer to our commands, or too much. */
	| { readonly kind: 'fault' };

export interface RecipientReply {
	readonly recipient: string;
	/** Null: not asked, or not answered before the end. */
	readonly reply: SmtpReply | null;
}

export interface SessionReport {
	/** Our envelope sender. */
	readonly sender: string;
	readonly end: SessionEnd;
	/** How far the conversation got. */
	readonly stage: Stage;
	readonly targets: readonly RecipientReply[];
	readonly invented: readonly RecipientReply[];
	/** Commands were sent as a group (RFC 2920). */
	readonly pipelined: boolean;
	/** The envelope was sent over TLS. */
	readonly secured: boolean;
	/** In order, without those of RSET. */
	readonly exchanges: readonly Exchange[];
	/** Our name in EHLO. */
	readonly heloName: string;
	/** Recipients of one transaction that the server takes, as far as its replies showed. */
	readonly perTransaction: number;
}
