import { OPERATORS } from '../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import type { OperatorRow } from '../../core/mail-operators/operator-row.ts';
import type { RecipientReply, SessionReport, SmtpSession } from '../../core/smtp/session.ts';
import type { Refusal } from '../../core/turns/pause.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';
import type { Interpretation } from '../../core/verification/interpret-session.ts';
import { isPositive } from '../../core/smtp/recipient-queue.ts';
import type { ConversationRequest } from '../conversation.ts';
import type { Connection, SenderIdentity } from '../dial/egress-dialer.ts';

/** An open connection between two conversations. */
export interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	/** The last one that was held over it. */
	readonly session: SmtpSession;
}

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
	{ invented, furtherInvented }: ConversationRequest['plan'],
	remembered: readonly RecipientReply[],
	found: () => void,
): () => void {
	let isFound = false;
	return () => {
		if (isFound || !session.isGreeted) return;
		isFound =
			remembered.some(({ reply }) => isYes(reply)) ||
			[...invented, ...furtherInvented].some((one) => isYes(session.answerTo(one)));
		if (isFound) found();
	};
}

function isYes(reply: RecipientReply['reply']): boolean {
	return reply !== null && isPositive(reply);
}

// Rules of `core/smtp/reply-rules.ts` that recognise a block list by its name or wording.
const SAYS_LISTED: ReadonlySet<string> = new Set(['blocked.dns_list', 'blocked.listed']);

/**
 * Reads a conversation as news about us. `served`: the host answered about a mailbox, so it does not block us. `refusal`: it
 * refused us, after that if it served us; a host that refuses to relay says that it does not have the domain. `decided`: the
 * mailboxes that it decided on, and whether they exist.
 *
 * @param elsewhere what the host said to invented recipients before
 */
export function observe(
	report: SessionReport,
	operator: OperatorName | null,
	domain: string,
	elsewhere: readonly RecipientReply[],
) {
	const decided: (readonly [string, boolean])[] = [];
	let last: { readonly read: Interpretation; readonly reply: RecipientReply['reply'] } | null = null;
	for (const [index, { recipient, reply }] of report.targets.entries()) {
		if (reply === null && index > 0) continue;
		const read = interpretSession(report, operator, index, elsewhere);
		const { target } = read;
		last = { read, reply: reply ?? (report.end.kind === 'refused' ? report.end.reply : null) };
		if (target.kind === 'unknown') continue;
		const isMissing = target.kind === 'rejected' && target.why === 'rejected_email';
		decided.push([recipient, !isMissing]);
	}
	const served = decided.length > 0;
	const why = last === null ? null : reasonOf(last.read, served);
	if (last === null || why === null) return { served, refusal: null, decided };
	// Once a recipient was answered, what follows may be about him.
	const stage = report.targets.some(({ reply }) => reply !== null) ? 'rcpt' : report.stage;
	const row: OperatorRow | null = operator === null ? null : OPERATORS[operator];
	const { enhanced = null, lines = [] } = last.reply ?? {};
	const isOwnWord = row?.sourceStatuses?.test(`${enhanced ?? ''} ${lines.join(' ')}`) === true;
	const listed = last.read.rule !== null && SAYS_LISTED.has(last.read.rule);
	const refusal: Refusal = { why, stage, domain, isOwnWord, listed };
	return { served, refusal, decided };
}

function reasonOf({ target, rule }: Interpretation, served: boolean): Refusal['why'] | null {
	if (target.kind !== 'unknown') return null;
	if (target.why === 'probe_blocked' || target.why === 'rate_limited') return target.why;
	return rule?.startsWith('relay.') === true && !served ? 'unavailable_smtp' : null;
}
