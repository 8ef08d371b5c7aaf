import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { RecipientReply, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import type { Pause } from '../core/turns/pause.ts';
import type { Party } from '../core/turns/who.ts';
import type { QuestionClass } from '../engine/question.ts';

export type { Clock } from '../engine/ports.ts';

export type ReadResult =
	| { readonly kind: 'bytes'; readonly bytes: Uint8Array }
	| { readonly kind: 'closed' }
	| { readonly kind: 'timeout' };

/** An open byte stream to a mail server. It never throws: what breaks reads as `closed`. */
export interface Connection {
	read(limitMs: number): Promise<ReadResult>;
	write(bytes: Uint8Array): Promise<void>;
	/** Goes over to TLS after the server's 220 to STARTTLS; left out where the platform can't. */
	secure?(limitMs: number): Promise<'secured' | 'failed' | 'timeout'>;
	/** Hangs up. The promise resolves when the server has hung up too, or after a moment. */
	close(): Promise<void>;
}

/** Our identity for a mail server when we come from one egress. */
export interface SenderIdentity {
	readonly heloName: string;
	/** Envelope sender, without angle brackets. */
	readonly mailFrom: string;
}

/** Why a mail server could not be connected to: facts about its address, not about our egress. */
export type NoConnection = 'refused' | 'unreachable' | 'timeout' | 'egress_cannot_reach';

export type Dialled =
	| {
			readonly kind: 'connected';
			readonly connection: Connection;
			readonly identity: SenderIdentity;
			/** Name of the egress, without secrets. */
			readonly egress: string;
	  }
	| { readonly kind: 'no_connection'; readonly why: NoConnection; readonly egress: string }
	/** The way out itself is broken, so the next one is tried. `nonsense`: it answers what no SOCKS server says. */
	| { readonly kind: 'fault'; readonly fault: 'unavailable' | 'nonsense' };

/** The ways out to port 25. */
export interface Dialer {
	/**
	 * The sources (`Egress`) by which a key (a domain, or a mailbox) would be dialled now, in their order: those in service, or
	 * all if none is.
	 */
	egressesFor(key: string): readonly [string, ...string[]];
	/** Connects to a mail server's address by a source. */
	dial(
		target: {
			readonly address: string;
			/** The mail host's name, for SNI; left out: unknown. */
			readonly hostName?: string;
			readonly egress: string;
		},
		limitMs: number,
	): Promise<Dialled>;
}

/** Recipients to be asked about at one address of a mail host. */
export interface ConversationRequest extends Party {
	readonly domain: string;
	/** The address of the mail host. */
	readonly address: string;
	/** The caller or list that waits for the answer. */
	readonly class: QuestionClass;
	/** Over a connection without an earlier question. */
	readonly fresh: boolean;
	/** The mail host's name. */
	readonly hostName: string;
	/** The operator that runs the host; null: none that we know. */
	readonly operator: OperatorName | null;
	/** It is the domain's best host: what it says to invented recipients is a fact about the domain. */
	readonly isBest: boolean;
	/** How many more mailboxes of the domain the asker has. */
	readonly behind?: number | undefined;
	readonly plan: Omit<SessionPlan, 'heloName' | 'mailFrom'>;
	/** Called as soon as a host is known as a catch-all. */
	readonly foundCatchAll?: (() => void) | undefined;
	/** Epoch milliseconds. */
	readonly deadline: number;
}

export type Conversed =
	| {
			readonly kind: 'held';
			readonly report: SessionReport;
			readonly egress: string;
			/** The connection had been opened for another question. */
			readonly warm: boolean;
			/** The domain's late answers to invented recipients, where they were left out for that. */
			readonly remembered: readonly RecipientReply[];
	  }
	| { readonly kind: 'no_connection'; readonly why: NoConnection; readonly egress: string }
	/** The host, or its operator, blocked or slowed us lately. */
	| ({ readonly kind: 'paused' } & Pause)
	/** Our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'busy'; readonly until: number };
