import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import type { Observation, PauseReason } from '../core/politeness/pause.ts';
import type { RecipientReply } from '../core/smtp/session.ts';

export type { Clock } from '../engine/ports.ts';

export type ReadResult =
	| { readonly kind: 'bytes'; readonly bytes: Uint8Array }
	| { readonly kind: 'closed' }
	| { readonly kind: 'timeout' };

/** An open byte stream to a mail server. It never throws: what breaks reads as `closed`. */
export interface Connection {
	read(limitMs: number): Promise<ReadResult>;
	/** Listens from now on: a later `read(0)` tells what has come meanwhile without waiting for it. */
	listen(): void;
	write(bytes: Uint8Array): Promise<void>;
	/** Goes over to TLS after the server's 220 to STARTTLS; left out where the platform can't. */
	secure?(limitMs: number): Promise<'secured' | 'failed' | 'timeout'>;
	close(): void;
}

/** Who we are to a mail server when we come from one egress. */
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
	| { readonly kind: 'no_connection'; readonly why: NoConnection; readonly egress: string };

/** The way out to port 25. */
export interface Dialer {
	/** The name of the egress by which a domain would be dialled now. Throws as `dial` does where none is configured. */
	egressFor(domain: string): string;
	/**
	 * Connects to a mail server's address for a domain. The same domain leaves by the same egress while that serves.
	 * Throws `ServiceError`: `upstream_unavailable` when no egress is configured or all are out, `upstream_nonsense`
	 * when they answer what no SOCKS server says.
	 */
	dial(
		target: {
			readonly domain: string;
			readonly address: string;
			/** The mail host's name, for SNI; left out: unknown. */
			readonly hostName?: string;
		},
		limitMs: number,
	): Promise<Dialled>;
}

/** How mail hosts treated us lately, for politeness. It never becomes a fact about an address. */
export interface StandingMemory {
	/** Why the host is to be left alone just now by whoever asks, or null. */
	paused(host: MailHost, asker: Asker): PauseReason | null;
	observed(host: MailHost, observation: Observation, asker: Asker): void;
}

/** What domains said to invented recipients, for as long as that is believed. Keeps less rather than throw. */
export interface InventedMemory {
	find(domain: string, now: number): readonly RecipientReply[] | null;
	/** @param until epoch milliseconds */
	keep(domain: string, replies: readonly RecipientReply[], now: number, until: number): void;
}
