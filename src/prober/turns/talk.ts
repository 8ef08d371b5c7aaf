import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { RESETS_MAX } from '../../core/smtp/limits.ts';
import { isPositive } from '../../core/smtp/recipient-queue.ts';
import { SmtpSession } from '../../core/smtp/session.ts';
import type { RecipientReply, SessionReport } from '../../core/smtp/session.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';
import type { Connection, ConversationRequest, SenderIdentity } from '../ports.ts';

/** An open connection between two conversations. */
export interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	/** The last one that was held over it. */
	readonly session: SmtpSession;
}

type Plan = ConversationRequest['plan'];

/** A server that said something, or hung up, without a question is of no more use: what it says next answers nothing. */
export async function isStillThere({ connection }: Idle): Promise<boolean> {
	return (await connection.read(0)).kind === 'timeout';
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

/**
 * Whether the connection can serve the next question. Postscreen answers truly to those who come again, but the connection
 * that it put off stays put off (4.3.2).
 */
export function isOfUse(session: SmtpSession, operator: OperatorName | null): boolean {
	const report = session.report();
	const isDeferring = report.targets.some(
		(_, index) => interpretSession(report, operator, index).advice === 'ask_again_soon',
	);
	return session.line !== null && !isDeferring;
}

/** An old connection brought no answer, which is about the connection. */
export function isStale({ targets, end }: SessionReport): boolean {
	return (
		end.kind !== 'smtputf8_missing' &&
		end.kind !== 'tls_failed' &&
		targets.every(({ reply }) => reply === null)
	);
}

/**
 * Calls `found`, once, as soon as the host that greeted us is known as a catch-all: it accepted an invented recipient, now
 * or lately. Only the answer counts, and another host may give it: what is begun by this may be in vain.
 */
export function catchAllWatch(
	session: SmtpSession,
	{ invented, furtherInvented }: Plan,
	remembered: readonly RecipientReply[],
	found: () => void,
): () => void {
	const isYes = (reply: RecipientReply['reply']): boolean => reply !== null && isPositive(reply);
	let isFound = false;
	return () => {
		if (isFound || !session.isGreeted) return;
		isFound =
			remembered.some(({ reply }) => isYes(reply)) ||
			[...invented, ...furtherInvented].some((one) => isYes(session.answerTo(one)));
		if (isFound) found();
	};
}

const decoder = new TextDecoder('latin1');

/** How many recipients the commands name. */
export function recipientsIn(bytes: Uint8Array): number {
	return decoder.decode(bytes).match(/^RCPT TO:/gm)?.length ?? 0;
}

/** The recipients of a conversation: one target with those who are invented, as many as one turn has, and all. */
export function recipientsOf({ targets, invented, furtherInvented, perTransaction }: Plan, behind = 0) {
	const beside = invented.length + furtherInvented.length;
	const most = beside + Math.min(targets.length, perTransaction * (RESETS_MAX + 1));
	return { few: beside + 1, most, all: beside + targets.length + behind };
}

/** A conversation about as many targets as were granted, after the one that was held over the connection last. */
export function sessionOn(
	{ identity, session: before }: Pick<Idle, 'identity'> & { readonly session: SmtpSession | null },
	plan: Plan,
	recipients: number,
): SmtpSession {
	const { few } = recipientsOf(plan);
	const targets = plan.targets.slice(0, Math.max(1, recipients - few + 1));
	return new SmtpSession({ ...plan, targets, ...identity }, before?.line ?? null);
}
