import type { OperatorName } from '../mail-operators/operators.ts';
import { classifyReply } from '../smtp/classify-reply.ts';
import type { Classification, Witness } from '../smtp/classify-reply.ts';
import type { ReplyMeaning } from '../smtp/reply-rule.ts';
import { wordsOf } from '../smtp/reply-text.ts';
import { clausesOf } from '../smtp/reply-words/read-words.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';

/** The parts of a report that replies are read from. */
type Answers = Pick<SessionReport, 'targets' | 'invented' | 'sender'>;

/**
 * Returns the conversation with the invented recipients' replies that it is judged by: its own or, if it has none,
 * those from an earlier conversation with the same host.
 */
export function withInvented(report: SessionReport, elsewhere: readonly RecipientReply[]): SessionReport {
	const hasReply = report.invented.some(({ reply }) => reply !== null);
	return hasReply || elsewhere.length === 0 ? report : { ...report, invented: elsewhere };
}

/** Classifies the reply to one recipient without looking at other replies. */
export function readRecipient(
	{ recipient, reply }: RecipientReply,
	sender: string | null,
	operator: OperatorName | null,
	witness: Witness = null,
): Classification {
	if (reply === null) return { meaning: 'undetermined', rule: 'no-reply', likelihood: null };
	return classifyReply({ stage: 'rcpt', reply, recipient, sender, operator, witness });
}

/** Classifies the reply to a target. If no rule knows its wording, the replies to invented recipients help. */
export function readTarget(
	target: RecipientReply,
	answers: Answers,
	operator: OperatorName | null,
): Classification {
	return readRecipient(target, answers.sender, operator, witnessOf(target, answers, operator));
}

/**
 * Compares a refusal in unknown words with the replies to invented recipients, which surely do not exist:
 *
 * - The server accepted one: it accepts us and any name, so this refusal is about the target.
 * - It refused one in the same words: the refusal is about all missing mailboxes, or about us. It is not about us if
 *   the server accepted a later target.
 * - It refused one as a missing mailbox in other words: the server has words for that, and used others here.
 * - It refused one for a reason that is about us: this refusal may have the same reason.
 *
 * Silence, a deferral, and a refusal in other unknown words prove nothing.
 */
function witnessOf(target: RecipientReply, answers: Answers, operator: OperatorName | null): Witness {
	// A block that began with this reply would also have refused the later targets.
	const after = answers.targets.slice(answers.targets.indexOf(target) + 1);
	const isServed = after.some(({ reply }) => isAccepted(reply));
	const says = answers.invented.map((invented): Witness => {
		if (invented.reply === null) return null;
		if (isAccepted(invented.reply)) return 'for';
		if (isSameRefusal(target, invented, answers.sender)) return isServed ? 'for' : null;
		const { meaning, rule } = readRecipient(invented, answers.sender, operator);
		const isKnown = !rule.startsWith('words.') && !rule.startsWith('fallback.');
		return isKnown && SPEAKS_AGAINST.has(meaning) ? 'against' : null;
	});
	if (says.includes('against')) return 'against';
	return says.includes('for') ? 'for' : null;
}

const SPEAKS_AGAINST: ReadonlySet<ReplyMeaning> = new Set([
	'no_such_mailbox',
	'blocked',
	'rate_limited',
	'policy',
	'tls_required',
	'relay_denied',
	'protocol_error',
]);

/** RFC 5321 §3.5.3: a 252 says that nothing was verified. */
function isAccepted(reply: RecipientReply['reply']): boolean {
	return reply !== null && reply.code < 300 && reply.code !== 252;
}

/** Whether two refusals match in code, status and words, ignoring the recipient, numbers, ids and host names. */
function isSameRefusal(one: RecipientReply, other: RecipientReply, sender: string | null): boolean {
	if (one.reply === null || other.reply === null) return false;
	if (one.reply.code !== other.reply.code || one.reply.enhanced !== other.reply.enhanced) return false;
	return templateOf(one, sender) === templateOf(other, sender);
}

function templateOf({ recipient, reply }: RecipientReply, sender: string | null): string {
	const clauses = clausesOf(wordsOf(reply?.lines ?? [], recipient, sender));
	return clauses.map((words) => words.join(' ')).join('; ');
}
