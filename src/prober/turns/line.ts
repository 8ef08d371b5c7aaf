import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { SmtpSession } from '../../core/smtp/session.ts';
import type { LineState, RecipientReply, SessionReport } from '../../core/smtp/session.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';
import type { Place } from '../../core/turns/places.ts';
import type { Hear } from '../../engine/question.ts';
import type { Connection, ConversationRequest, SenderIdentity } from '../ports.ts';

/** An open connection between two conversations. */
export interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	readonly egress: string;
	readonly state: LineState;
	readonly session: SmtpSession;
}

/** A connection that the prober holds, or a place for one that is being opened. */
export interface Line extends Place {
	idleSince: number | null;
	isClosing: boolean;
	left: number;
	/** The share whose question uses it, or used it last. */
	share: string;
	/** The party of the host that it was asked for last. */
	party: string;
	idle: Idle | null;
	/** Ends the wait for its next use. */
	patience: AbortController | null;
}

/** A server that said something, or hung up, without a question is of no more use: what it says next answers nothing. */
export async function isStillThere(idle: Idle): Promise<Idle | null> {
	const { kind } = await idle.connection.read(0);
	if (kind === 'timeout') return idle;
	void idle.connection.close();
	return null;
}

/** Says goodbye out of courtesy, and closes without waiting for the answer. */
export async function hangUp(connection: Connection, session: Pick<SmtpSession, 'farewell'>): Promise<void> {
	const farewell = session.farewell();
	try {
		if (farewell.length > 0) await connection.write(farewell);
	} finally {
		await connection.close();
	}
}

/** Postscreen answers truly to those who come again: the connection that it put off stays put off (4.3.2). */
export function isDeferring(report: SessionReport, operator: OperatorName | null): boolean {
	return report.targets.some(
		(_, index) => interpretSession(report, operator, index).advice === 'ask_again_soon',
	);
}

/** An old connection brought no answer, which is about the connection. */
export function isStale({ targets, end }: SessionReport): boolean {
	return (
		end.kind !== 'smtputf8_missing' &&
		end.kind !== 'tls_failed' &&
		targets.every(({ reply }) => reply === null)
	);
}

/** Tells what a conversation has heard since it was called last. */
export function tellerOf(
	session: SmtpSession,
	{ request, plan, remembered }: AboutNews,
	hear: Hear,
): () => void {
	const { host } = request.host;
	const untold = new Set([...plan.targets, ...plan.invented, ...plan.furtherInvented]);
	let isGreeted = false;
	return () => {
		const { greeting } = session;
		if (greeting !== '' && !isGreeted) hear({ kind: 'greeted', host, greeting, invented: remembered });
		isGreeted = greeting !== '';
		for (const recipient of untold) {
			const reply = session.answerTo(recipient);
			if (reply !== null && untold.delete(recipient)) hear({ kind: 'replied', host, recipient, reply });
		}
	};
}

interface AboutNews {
	readonly request: ConversationRequest;
	readonly plan: ConversationRequest['plan'];
	readonly remembered: readonly RecipientReply[];
}

const decoder = new TextDecoder('latin1');

/** How many recipients the commands name. */
export function recipientsIn(bytes: Uint8Array): number {
	return decoder.decode(bytes).match(/^RCPT TO:/gm)?.length ?? 0;
}

/** A connection for a conversation: a new one has no state yet. */
export type Open = Omit<Idle, 'state' | 'session'> & { readonly state: LineState | null };

/** A conversation over the connection, about as many targets as were granted. */
export function sessionOn(
	{ state, identity }: Open,
	plan: ConversationRequest['plan'],
	{ recipients }: { readonly recipients: number },
): SmtpSession {
	const targets = plan.targets.slice(0, Math.max(1, recipients - besideTargets(plan)));
	return new SmtpSession({ ...plan, targets, ...identity }, state);
}

/** The connection for the next conversation; null: it is of no more use. */
export function keptLine(
	{ connection, identity, egress }: Open,
	session: SmtpSession,
	{ host, operator }: ConversationRequest,
): Idle | null {
	const state = session.line;
	// Where another way out had to do, that is not what this group's budget is for.
	if (state === null || egress !== host.egress || isDeferring(session.report(), operator)) return null;
	return { connection, identity, egress, state, session };
}

/** How many invented recipients are asked about beside the targets. */
export function besideTargets({ invented, furtherInvented }: ConversationRequest['plan']): number {
	return invented.length + furtherInvented.length;
}
