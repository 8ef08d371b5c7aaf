import type { OperatorName } from '../core/mail-operators/operators.ts';
import { COMMAND_TIMEOUT_MS } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan, SessionReport, SmtpSession } from '../core/smtp/session.ts';
import type { Pause } from '../core/turns/pause.ts';
import type { Party } from '../core/turns/who.ts';
import type { Clock } from '../engine/ports.ts';
import type { Question } from '../wire/prober.ts';
import type { Connection, Dialled, SenderIdentity } from './dial/egress-dialer.ts';

export const CONNECT_TIMEOUT_MS = 8_000;
// Less than this is not enough for a conversation on a real path.
export const CONVERSATION_MS_MIN = 2_000;

/** Recipients to be asked about at one address of a mail host. */
export interface ConversationRequest
	extends Party, Pick<Question, 'domain' | 'class' | 'fresh' | 'since' | 'behind' | 'deadline'> {
	/** The address of the mail host. */
	readonly address: string;
	/** The mail host's name. */
	readonly hostName: string;
	/** The operator that runs the host; null: none that we know. */
	readonly operator: OperatorName | null;
	/** It is the domain's best host: what it says to invented recipients is a fact about the domain. */
	readonly isBest: boolean;
	readonly plan: Omit<SessionPlan, keyof SenderIdentity>;
	/** Called as soon as a host is known as a catch-all. */
	readonly foundCatchAll?: (() => void) | undefined;
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
	| Extract<Dialled, { kind: 'no_connection' }>
	/** The host, or its operator, blocked or slowed us lately. */
	| ({ readonly kind: 'paused' } & Pause)
	/** Our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'busy'; readonly until: number };

/**
 * Leads one SMTP conversation over an open connection to its end, and leaves the connection as it is then. `deadline`
 * (epoch ms) bounds the whole of it, however the server drips its bytes.
 *
 * @param heard called when something was said
 */
export async function carryOn(
	clock: Clock,
	connection: Connection,
	session: SmtpSession,
	deadline: number,
	heard: () => void = () => {},
): Promise<void> {
	session.tick(clock.now());
	let toWrite = session.open();
	let repliesHeard = -1;
	let patienceEnds = 0;
	heard();
	for (;;) {
		if (toWrite.length > 0) await connection.write(toWrite);
		if (session.ended) return;
		// Counted per reply, not per read: a byte a second is no answer.
		if (session.repliesHeard > repliesHeard) patienceEnds = clock.now() + session.patienceMs;
		({ repliesHeard } = session);
		const read = await connection.read(Math.max(0, Math.min(patienceEnds, deadline) - clock.now()));
		session.tick(clock.now());
		if (read.kind !== 'bytes') return session.giveUp(read.kind);
		toWrite = session.receive(read.bytes);
		heard();
		if (session.wantsHandshake) {
			const limitMs = Math.max(0, Math.min(COMMAND_TIMEOUT_MS, deadline - clock.now()));
			toWrite = session.handshook(await connection.secure(limitMs));
		}
	}
}
