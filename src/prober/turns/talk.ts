import { OPERATORS } from '../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import type { OperatorRow } from '../../core/mail-operators/operator-row.ts';
import { isPositive } from '../../core/smtp/recipient-queue.ts';
import type { RecipientReply, SessionReport, SmtpSession } from '../../core/smtp/session.ts';
import type { Decided } from '../../core/turns/guesses.ts';
import type { Refusal } from '../../core/turns/pause.ts';
import { interpretSession } from '../../core/verification/interpret-session.ts';
import type { Interpretation } from '../../core/verification/interpret-session.ts';
import type { ConversationRequest } from '../conversation.ts';
import type { Connection, SenderIdentity } from '../dial/egress-dialer.ts';

/** An open connection. */
export interface Open {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	/** The last one that was held over it; null: none yet. */
	readonly session: SmtpSession | null;
}

/** Says goodbye out of courtesy, and closes without waiting for the answer. */
export async function hangUp({ connection, session }: Pick<Open, 'connection' | 'session'>): Promise<void> {
	const farewell = session?.farewell() ?? [];
	try {
		if (farewell.length > 0) await connection.write(Uint8Array.from(farewell));
	} finally {
		await connection.close();
	}
}

/**
 * Calls `found`, once, as soon as the host that greeted us is known as a catch-all: it accepted an invented recipient, now
 * or lately. Only the answer counts, and another host may give it: what is begun by this may be in vain.
 */
export function catchAllWatch(
	session: SmtpSession,
	{ plan, foundCatchAll }: Pick<ConversationRequest, 'plan' | 'foundCatchAll'>,
	remembered: readonly RecipientReply[],
): () => void {
	let isFound = foundCatchAll === undefined;
	return () => {
		if (isFound || !session.isGreeted) return;
		const now = [...plan.invented, ...plan.furtherInvented].map((one) => session.answerTo(one));
		const replies = [...now, ...remembered.map(({ reply }) => reply)];
		isFound = replies.some((reply) => reply !== null && isPositive(reply));
		if (isFound) foundCatchAll?.();
	};
}

// Rules of `core/smtp/reply-rules.ts` that recognise a block list by its name or wording.
const SAYS_LISTED: ReadonlySet<string | null> = new Set(['blocked.dns_list', 'blocked.listed']);

/**
 * Reads a conversation as news about us. `served`: the host answered about a mailbox, so it does not block us. `refusal`: it
 * refused us, after that if it served us; a host that refuses to relay says that it does not have the domain. `isDeferring`:
 * postscreen answers truly to those who come again, but the connection that it put off stays put off (4.3.2).
 *
 * @param elsewhere what the host said to invented recipients before
 */
export function observe(
	report: SessionReport,
	operator: OperatorName | null,
	domain: string,
	elsewhere: readonly RecipientReply[],
) {
	const heard = report.targets.flatMap(({ recipient, reply }, at) =>
		reply === null && at > 0
			? []
			: [{ recipient, reply, ...interpretSession(report, operator, at, elsewhere) }],
	);
	const decided: Decided = heard
		.filter(({ target }) => target.kind !== 'unknown')
		.map(({ recipient, target }) => [
			recipient,
			target.kind !== 'rejected' || target.why !== 'rejected_email',
		]);
	const served = decided.length > 0;
	const isDeferring = heard.some(({ advice }) => advice === 'ask_again_soon');
	const last = heard.at(-1);
	const why = last === undefined ? null : reasonOf(last, served);
	if (last === undefined || why === null) return { served, refusal: null, decided, isDeferring };
	// Once a recipient was answered, what follows may be about him.
	const stage = report.targets.some(({ reply }) => reply !== null) ? 'rcpt' : report.stage;
	const row: OperatorRow | null = operator === null ? null : OPERATORS[operator];
	const { enhanced, lines } = last.reply ?? (report.end.kind === 'refused' ? report.end.reply : SILENCE);
	const isOwnWord = row?.sourceStatuses?.test(`${enhanced ?? ''} ${lines.join(' ')}`) === true;
	const refusal: Refusal = { why, stage, domain, isOwnWord, listed: SAYS_LISTED.has(last.rule) };
	return { served, refusal, decided, isDeferring };
}

const SILENCE = { enhanced: null, lines: [] };

function reasonOf({ target, rule }: Interpretation, served: boolean): Refusal['why'] | null {
	if (target.kind !== 'unknown') return null;
	if (target.why === 'probe_blocked' || target.why === 'rate_limited') return target.why;
	return rule?.startsWith('relay.') === true && !served ? 'unavailable_smtp' : null;
}
