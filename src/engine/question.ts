import type { MailProbe } from '../core/catchall/evidence.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { DeepCheck, RecipientReply } from '../core/smtp/session.ts';
import type { TraceEvent } from '../core/verification/trace.ts';

/** Recipients of the domain that surely do not exist. */
export interface Invented {
	readonly first: string;
	/** Asked to confirm what the first showed, where the deeper check wants that. */
	readonly further: readonly string[];
}

/** What a domain's mail hosts are asked. Plain data: all of it can be sent to another machine. */
export interface Question {
	readonly domain: string;
	/** Mail hosts, best preference first. */
	readonly hosts: readonly string[];
	/** There is no MX: the one host is the domain itself, whose name tells nothing of an operator. */
	readonly implicit: boolean;
	/** `local@domain`, each once. */
	readonly targets: readonly string[];
	/** The targets have non-ASCII local parts: MAIL says so for all recipients (RFC 6531 §3.4). */
	readonly needsSmtputf8: boolean;
	/** Null: what the domain says to them is known. */
	readonly invented: Invented | null;
	readonly deep: DeepCheck;
	readonly asker: Asker;
	/**
	 * `single`: somebody waits for the one target, so that it is worth a few seconds to be asked about again. A `list` comes
	 * back later instead, and keeps to the operator's patience.
	 */
	readonly urgency: 'single' | 'list';
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

type HeardProbe = Extract<MailProbe, { kind: 'heard' }>;

/** What came of asking about one target; of a host that answered, also its name and what it said to invented recipients. */
export type TargetAnswer =
	| Exclude<MailProbe, HeardProbe>
	| (HeardProbe & {
			readonly host: string;
			/** In this conversation or an earlier one about the domain. */
			readonly invented: readonly RecipientReply[];
	  });

/** A target that a host spoke about. */
export type Heard = Extract<TargetAnswer, { kind: 'heard' }>;

/** What came of a question. Plain data as well. */
export interface Asked {
	/** In the order of the targets; null: the time was up before a host was asked about it. */
	readonly answers: readonly (TargetAnswer | null)[];
	/** Every step on the way, in its order: the hosts tried, and each conversation. */
	readonly trace: readonly TraceEvent[];
}
