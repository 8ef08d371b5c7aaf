import type { RecipientReply, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import type { Pause } from '../core/politeness/pause.ts';
import type { QuestionClass } from '../engine/question.ts';
import type { NoConnection } from './ports.ts';

/** Recipients to be asked about at one address of a mail host. */
export interface ConversationRequest {
	readonly domain: string;
	/** Of the mail host. */
	readonly address: string;
	/** The machine behind the mail host, whichever of its addresses this is (`machineOf`). */
	readonly machine: string;
	/** Who waits for the answer. */
	readonly class: QuestionClass;
	/** Over a connection that nobody was asked about before. */
	readonly fresh: boolean;
	readonly host: MailHost;
	readonly asker: Asker;
	/** Who runs the host; null: nobody we know. */
	readonly operator: OperatorName | null;
	/** It is the domain's best host: what it says to invented recipients is a fact about the domain. */
	readonly isBest: boolean;
	readonly plan: Omit<SessionPlan, 'heloName' | 'mailFrom'>;
	/** Epoch milliseconds. */
	readonly deadline: number;
}

export type Conversed =
	| {
			readonly kind: 'held';
			readonly report: SessionReport;
			readonly egress: string;
			/** The connection had been opened for somebody else. */
			readonly warm: boolean;
			/** What the domain said to invented recipients lately, where they were left out for that. */
			readonly remembered: readonly RecipientReply[];
	  }
	| { readonly kind: 'no_connection'; readonly why: NoConnection; readonly egress: string }
	/** The host, or its operator, blocked or slowed us lately. */
	| ({ readonly kind: 'paused' } & Pause)
	/** Our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'busy'; readonly until: number };

/** Where conversations with mail hosts are held. Throws what `Dialer.dial` throws. */
export interface Conversations {
	hold(request: ConversationRequest): Promise<Conversed>;
}
