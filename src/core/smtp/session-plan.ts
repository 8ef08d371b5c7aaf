import type { ReplyFault } from './reply-reader.ts';
import type { SmtpReply, Stage } from './reply.ts';
import type { RecipientTally } from './transaction-size.ts';

/**
 * Where it takes further invented recipients to know the domain: nowhere, where the first were accepted, or also where
 * they were refused, since where a catch-all is in question one refusal is no proof either.
 */
export type DeepCheck = 'never' | 'catch_all' | 'always';

/** What one connection may be asked. Both sides of each number are a server's patience, not a rule of SMTP. */
export interface ConnectionLimits {
	/** Recipients of one transaction, invented ones included. */
	readonly recipientsPerTransaction: number;
	/** After so many refused recipients nothing more is asked. */
	readonly rejections: number;
	/** RSET commands: one before each transaction but the first. */
	readonly resets: number;
}

/** What is known of a connection by which others were asked about before. */
export interface LineState {
	/** EHLO keywords, upper case. */
	readonly keywords: ReadonlySet<string>;
	/** As the transcript tells it. */
	readonly greeting: string;
	/** It has gone over to TLS. */
	readonly secured: boolean;
	readonly transactions: number;
	/** Recipients refused. */
	readonly errors: number;
}

/** When a conversation goes over to TLS (RFC 3207), where the server offers it. */
export type TlsPlan =
	/** Where the connection can't, or just failed to. */
	| 'never'
	/** Once the server refuses to go on without. */
	| 'when_demanded'
	/** Before the envelope: the operator treats others worse. */
	| 'when_offered';

/** What one conversation is to find out. */
export interface SessionPlan {
	/** Our name in EHLO: the egress address's PTR name. */
	readonly heloName: string;
	/** Our envelope sender, without angle brackets. */
	readonly mailFrom: string;
	/** The addresses asked about, as `local@a-label`. Asked first: nothing later may harm their answers. */
	readonly targets: readonly string[];
	/** Addresses that surely do not exist, asked with the first targets; an accepted one means catch-all. */
	readonly invented: readonly string[];
	/** Further ones, which confirm what the first showed. */
	readonly furtherInvented: readonly string[];
	readonly deep: DeepCheck;
	/** A target has a non-ASCII local part (RFC 6531 §3.3). */
	readonly needsSmtputf8: boolean;
	/** `never` after a server showed that it can't take a group of commands. */
	readonly pipelining: 'when_offered' | 'never';
	readonly tls: TlsPlan;
	/** Longest wait for one reply in milliseconds, where the mail operator is known to need more than usual, else null. */
	readonly commandTimeoutMs: number | null;
	readonly limits: ConnectionLimits;
	/** What the server said of other targets just before. */
	readonly tally: RecipientTally;
}

/** How a conversation ended. `complete`: every target has its answer. */
export type SessionEnd =
	| { readonly kind: 'complete' }
	/** Greeting, EHLO or MAIL was refused (4xx or 5xx). */
	| { readonly kind: 'refused'; readonly reply: SmtpReply }
	| { readonly kind: 'smtputf8_missing' }
	/** The server refused STARTTLS though it demands TLS, or the handshake failed. */
	| { readonly kind: 'tls_failed' }
	/** The connection has seen as much as it may, or as the server wants: other targets need another one. */
	| { readonly kind: 'limit' }
	| { readonly kind: 'closed' }
	| { readonly kind: 'timeout' }
	| { readonly kind: 'fault'; readonly fault: ReplyFault };

export interface RecipientReply {
	readonly recipient: string;
	/** Null: not asked, or not answered before the end. */
	readonly reply: SmtpReply | null;
}

export interface SessionReport {
	/** Our envelope sender. */
	readonly sender: string;
	readonly end: SessionEnd;
	/** How far the conversation came. */
	readonly stage: Stage;
	readonly targets: readonly RecipientReply[];
	readonly invented: readonly RecipientReply[];
	/** Commands were sent as a group (RFC 2920). */
	readonly pipelined: boolean;
	/** The envelope was sent over TLS. */
	readonly secured: boolean;
	/** EHLO keywords, upper case; empty after HELO. */
	readonly keywords: readonly string[];
	/** `C: …` and `S: …` lines in order. */
	readonly transcript: readonly string[];
	/** Times that we had to wait for the server: the cost in round trips after connecting. */
	readonly roundTrips: number;
	/** What the server said of targets so far, those of the plan included. */
	readonly tally: RecipientTally;
	/** Recipients that the server takes in one transaction, as far as it showed. */
	readonly perTransaction: number;
}
