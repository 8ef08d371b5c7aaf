import type { Resolver } from '../core/dns/resolver.ts';
import type { Blame, Contact } from '../core/outages/history.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import type { Observation, PauseReason } from '../core/politeness/pause.ts';

export type { Resolver };

/** Time, as the operations see it. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Ends early, as if time were up, when the signal says so. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

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
	dial(target: { readonly domain: string; readonly address: string }, limitMs: number): Promise<Dialled>;
	/** Begins what needs no address of the mail server yet. Null, or no such method: there is nothing to begin. */
	ahead?(domain: string): Ahead | null;
}

/** A dial that was begun. What goes wrong with it is held against nobody: it is begun anew. */
export interface Ahead {
	/** The name of the egress that it was begun by. */
	readonly egress: string;
	/** Its first dial goes on from there. */
	readonly dialer: Dialer;
	/** What has become of it meanwhile: it waits to be told where to, or not yet, or no more. */
	look(): Promise<'opening' | 'waiting' | 'gone'>;
	/** Gives back what nobody used. */
	end(): void;
}

/** Randomness for recipients that surely do not exist. */
export interface Randomness {
	/** `length` lower-case letters. */
	word(length: number): string;
}

/** What is remembered of mail hosts and domains for politeness and caution. It never becomes a fact about an address. */
export interface StandingMemory {
	/** Why the host is to be left alone just now by whoever asks, or null. */
	paused(host: MailHost, asker: Asker): PauseReason | null;
	observed(host: MailHost, observation: Observation, asker: Asker): void;
	/** `doubtful`: the domain suddenly refuses everybody; to be believed when it still does so later. */
	answered(
		domain: string,
		answer: { readonly kind: 'accepted' | 'rejected'; readonly mailbox: string },
		asker: Asker,
	): 'believed' | 'doubtful';
}

/** The resolver among the ways out; the others are egresses, by their names. */
export const RESOLVER = 'resolver';

/** Somebody was not reached. Epoch milliseconds. */
export interface Failure {
	readonly way: string;
	readonly begun: number;
	readonly at: number;
}

/** What is remembered of our ways out, so that what befalls them is not blamed on recipients. */
export interface WaysOut {
	/** Records the outcome of an attempt to reach a party. */
	tried(way: string, contact: Contact): void;
	blame(failure: Failure): Blame;
	/** Whether the way led others somewhere while it failed, or seconds before. */
	workedAround(failure: Failure): boolean;
	/**
	 * Whether the way may lead to this party (core/outages/parties.ts) when it is tried again: it did in the minutes before
	 * the failure, or it could not say why it failed and led nobody else anywhere either.
	 */
	mayRecover(failure: Failure, party: string): boolean;
}
