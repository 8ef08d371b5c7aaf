import type { OperatorName } from '../mail-operators/operators.ts';
import { classifyReply } from '../smtp/classify-reply.ts';
import type { Classification, ReplyMeaning, Witness } from '../smtp/classify-reply.ts';
import { isReadByWords } from '../smtp/reply-rules/by-words.ts';
import { wordsOf } from '../smtp/reply-text.ts';
import { clausesOf } from '../smtp/reply-words/tokens.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';

/** What the replies of one conversation are read from. */
type Answers = Pick<SessionReport, 'targets' | 'invented' | 'sender'>;

/**
 * The conversation with the answers to invented recipients by which it is to be judged: its own, or, where it has none,
 * those that the same host gave in an earlier one.
 */
export function withInvented(report: SessionReport, elsewhere: readonly RecipientReply[]): SessionReport {
	const asked = report.invented.some(({ reply }) => reply !== null);
	return asked || elsewhere.length === 0 ? report : { ...report, invented: elsewhere };
}

/** Reads the reply to a recipient by itself. */
export function readRecipient(
	{ recipient, reply }: RecipientReply,
	sender: string | null,
	operator: OperatorName | null,
	witness: Witness = null,
): Classification {
	if (reply === null) return { meaning: 'undetermined', rule: 'no-reply', likelihood: null };
	return classifyReply({ stage: 'rcpt', reply, recipient, sender, operator, witness });
}

/** Reads the reply to a target; where no rule knows its words, in the light of what invented recipients were answered. */
export function readTarget(
	target: RecipientReply,
	answers: Answers,
	operator: OperatorName | null,
): Classification {
	return readRecipient(target, answers.sender, operator, witnessOf(target, answers, operator));
}

/**
 * What the answers to invented recipients, who surely do not exist, say of a refusal in unknown words:
 *
 * - One is accepted: the server takes us and every name, and refuses this one. So it is about this one.
 * - One is refused in the same words: it is not about this mailbox alone. It is about all mailboxes that are missing, or
 *   about us; only where a later target is accepted it cannot be about us.
 * - One is refused as a missing mailbox in other words: the server has words for that, and used others here.
 * - One is refused for a reason that is about us: so may this one be.
 *
 * Silence, a deferral and a refusal in words that are unknown, too, and other ones, say nothing.
 */
function witnessOf(target: RecipientReply, answers: Answers, operator: OperatorName | null): Witness {
	// A block that began with this reply would have met the targets after it, too.
	const after = answers.targets.slice(answers.targets.indexOf(target) + 1);
	const isServed = after.some(({ reply }) => isAccepted(reply));
	const says = answers.invented.map((invented): Witness => {
		if (invented.reply === null) return null;
		if (isAccepted(invented.reply)) return 'for';
		if (isSameRefusal(target, invented, answers.sender)) return isServed ? 'for' : null;
		const { meaning, rule } = readRecipient(invented, answers.sender, operator);
		const isKnown = !isReadByWords(rule) && !rule.startsWith('fallback.');
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

/** The same code, status and words, but for the recipient, numbers, ids and host names. */
function isSameRefusal(one: RecipientReply, other: RecipientReply, sender: string | null): boolean {
	if (one.reply === null || other.reply === null) return false;
	if (one.reply.code !== other.reply.code || one.reply.enhanced !== other.reply.enhanced) return false;
	return templateOf(one, sender) === templateOf(other, sender);
}

function templateOf({ recipient, reply }: RecipientReply, sender: string | null): string {
	const clauses = clausesOf(wordsOf(reply?.lines ?? [], recipient, sender));
	return clauses.map((words) => words.join(' ')).join('; ');
}
