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

/** A mail host and where it may be dialled. */
export interface QuestionHost {
	readonly name: string;
	/** Usable ones only, in the order in which they are tried; none: it has none that may be dialled. */
	readonly addresses: readonly string[];
	/** The name servers did not say what its addresses are. */
	readonly failed: boolean;
}

/**
 * Who waits for the answer. `single`: a caller, so that it is worth a few seconds to be asked about again. `small`: a job
 * that is promised within half a minute. A `list` comes back later instead. All but `single` keep to the operator's
 * patience.
 */
export type QuestionClass = 'single' | 'small' | 'list';

/** What a domain's mail hosts are asked. Plain data: it is sent to a prober. */
export interface Question {
	readonly domain: string;
	/** Best preference first. */
	readonly hosts: readonly QuestionHost[];
	/** There is no MX: the one host is the domain itself, whose name tells nothing of an operator. */
	readonly implicit: boolean;
	/** `local@domain`, each once. */
	readonly targets: readonly string[];
	/** The targets have non-ASCII local parts: MAIL says so for all recipients (RFC 6531 §3.4). */
	readonly needsSmtputf8: boolean;
	/** Null: what the domain says to them is known. */
	readonly invented: Invented | null;
	readonly deep: DeepCheck;
	/** Over a connection that nobody was asked about before: a server's words may differ for the first recipient. */
	readonly fresh: boolean;
	readonly asker: Asker;
	readonly class: QuestionClass;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
}

type HeardProbe = Extract<MailProbe, { kind: 'heard' }>;
type NoConnectProbe = Extract<MailProbe, { kind: 'no_connect' }>;

/** What came of asking about one target; of a host that answered, also its name and what it said to invented recipients. */
export type TargetAnswer =
	| Exclude<MailProbe, HeardProbe | NoConnectProbe>
	/** `egress`: our way out by which no host could be reached. */
	| (NoConnectProbe & { readonly egress: string })
	| (HeardProbe & {
			readonly host: string;
			/** In this conversation or an earlier one about the domain. */
			readonly invented: readonly RecipientReply[];
	  });

/** A target that a host spoke about. */
export type Heard = Extract<TargetAnswer, { kind: 'heard' }>;

/** An attempt to open a connection: it tells whether the way out leads anywhere. Epoch milliseconds. */
export interface Tried {
	/** Name of the mail host. */
	readonly host: string;
	readonly address: string;
	readonly egress: string;
	readonly begun: number;
	readonly at: number;
	readonly worked: boolean;
	/** It failed, and the way out could not tell why. */
	readonly unexplained: boolean;
}

/** What came of a question. Plain data as well. */
export interface Asked {
	/** In the order of the targets; null: the time was up before a host was asked about it. */
	readonly answers: readonly (TargetAnswer | null)[];
	/** Every step on the way, in its order: each connection and each conversation. */
	readonly trace: readonly TraceEvent[];
	readonly tried: readonly Tried[];
}
