import type { OperatorName } from '../mail-operators/operators.ts';
import { classifyReply, hasHabit } from '../smtp/classify-reply.ts';
import type { Classification, Witness } from '../smtp/classify-reply.ts';
import type { SmtpReply } from '../smtp/reply-reader.ts';
import type { ReplyMeaning } from '../smtp/reply-rule.ts';
import { wordsOf } from '../smtp/reply-text.ts';
import { clausesOf } from '../smtp/reply-words/read-words.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { Interpretation, InventedReading, TargetFinding } from './finding.ts';
import type { SubStatusOf } from './sub-status.ts';

/**
 * Judges what a finished conversation says about one of its targets.
 *
 * @param index which of the plan's targets
 */
export function interpretSession(
	report: SessionReport,
	operator: OperatorName | null,
	index = 0,
): Interpretation {
	const target = report.targets[index];
	if (target?.reply) {
		const { meaning, rule } = readTarget(target, report, operator);
		const why = doubtOf(meaning, target, target.reply, report, operator);
		const advice = adviceOn(meaning, report);
		return {
			target: why === null ? FINDINGS[meaning] : { kind: 'unknown', why },
			invented: advice === 'ask_in_lockstep' ? 'no_evidence' : interpretInvented(report, operator),
			advice,
			rule,
			replyCode: codeOf(target.reply),
		};
	}
	const { end, stage } = report;
	if (end.kind === 'refused') return interpretRefusal(report, end.reply, operator);
	// A host that is silent, or hangs up, before the greeting doesn't serve us. One that does so later is slow or has
	// trouble, and backups would not help.
	return {
		target: { kind: 'unknown', why: UNANSWERED[end.kind] },
		invented: 'no_evidence',
		advice: stage === 'greeting' ? 'next_host' : 'final',
		rule: null,
		replyCode: null,
	};
}

const UNANSWERED = {
	smtputf8_missing: 'smtputf8_unsupported',
	tls_failed: 'tls_required',
	timeout: 'timeout',
	limit: 'unavailable_smtp',
	closed: 'unavailable_smtp',
	fault: 'unavailable_smtp',
	complete: 'unexpected_error',
} as const satisfies Record<string, SubStatusOf<'unknown'>>;

function adviceOn(meaning: ReplyMeaning, { pipelined }: SessionReport): Interpretation['advice'] {
	if (meaning === 'protocol_error' && pipelined) return 'ask_in_lockstep';
	return meaning === 'greylisted' || meaning === 'temporary' ? 'ask_again_soon' : 'final';
}

/** Why a reply to the target is not believed; null: it is. */
function doubtOf(
	meaning: ReplyMeaning,
	target: RecipientReply,
	{ code }: SmtpReply,
	report: SessionReport,
	operator: OperatorName | null,
): SubStatusOf<'unknown'> | null {
	if (meaning === 'no_such_mailbox' && hasHabit(operator, 'calls_filtered_unknown'))
		return 'filtered_or_missing';
	// The mailbox exists but refuses outside senders (Exchange 5.7.1xx): mail would bounce, so no claim is made.
	if (meaning === 'mailbox_exists' && code >= 500) return 'antispam_system';
	// The reply names another of our recipients and not this one, or a refusal of another names this one: replies and
	// commands are out of step. Sendmail takes a recipient by the name of an earlier one that leads to the same mailbox.
	const others = [...report.targets, ...report.invented].filter((one) => one !== target);
	const isCrossed = (one: RecipientReply): boolean =>
		isMeantFor(target, one) || ((one.reply?.code ?? 0) >= 400 && isMeantFor(one, target));
	if (others.some(isCrossed)) return 'unavailable_smtp';
	// RFC 5321 §3.5.3: with a 252 nothing was verified. It only counts where invented recipients are refused.
	if (code === 252) return interpretInvented(report, operator) === 'no_evidence' ? 'antispam_system' : null;
	// A reply that invented recipients got, too, says nothing about this mailbox.
	const mayBeOfAll = meaning === 'mailbox_exists' || meaning === 'mailbox_full';
	if (!mayBeOfAll || !readInvented(report, operator).includes(meaning)) return null;
	return meaning === 'mailbox_exists' ? 'rate_limited' : 'unavailable_smtp';
}

// The only recipient that there is, or somebody to turn to.
const NAMES_ANOTHER = /\bonly \S+ is allowed\b|\bcontact\b|\bpostmaster@/u;

/** Whether the reply to a recipient names another one instead. */
function isMeantFor({ recipient, reply }: RecipientReply, other: RecipientReply): boolean {
	const text = reply?.lines.join(' ').toLowerCase() ?? '';
	const [own, meant] = [recipient, other.recipient].map((one) => isNamed(one.toLowerCase(), text));
	return meant === true && own === false && !NAMES_ANOTHER.test(text);
}

/** Whether the text contains the recipient as a whole address: `maria.ada@x.test` does not name `ada@x.test`. */
function isNamed(recipient: string, text: string): boolean {
	for (let at = text.indexOf(recipient); at >= 0; at = text.indexOf(recipient, at + 1)) {
		if (!/[a-z0-9._+-]/u.test(text[at - 1] ?? ' ')) return true;
	}
	return false;
}

/** The parts of a report that replies are read from; `sender` null: not known any more. */
type Answers = Pick<SessionReport, 'targets' | 'invented'> & { readonly sender: string | null };
type Invented = Omit<Answers, 'targets'>;

/** Reads the answers to the invented recipients of a conversation. */
export function readInvented(
	{ invented, sender }: Invented,
	operator: OperatorName | null,
): readonly InventedReading[] {
	return invented.map((one) =>
		one.reply === null ? 'no_reply' : readRecipient(one, sender, operator).meaning,
	);
}

/** Concludes from the answers to invented recipients whether the domain accepts every address. */
export function interpretInvented(
	heard: Invented,
	operator: OperatorName | null,
): Interpretation['invented'] {
	const meanings = readInvented(heard, operator);
	const accepted = meanings.filter((meaning) => meaning === 'accepted').length;
	const rejected = meanings.filter((meaning) => meaning === 'no_such_mailbox').length;
	// A block, a deferral or silence for an invented recipient says nothing about the domain.
	if (accepted + rejected === 0) return 'no_evidence';
	if (rejected === 0) return accepted === meanings.length ? 'accepted' : 'mixed';
	return accepted === 0 ? 'rejected' : 'mixed';
}

/** Interprets a refusal of the greeting, EHLO or MAIL. It is never about the mailbox, whatever the text says. */
function interpretRefusal(
	report: SessionReport,
	reply: SmtpReply,
	operator: OperatorName | null,
): Interpretation {
	const { stage, sender } = report;
	const { meaning, rule } = classifyReply({ stage, reply, recipient: null, sender, operator });
	const finding = FINDINGS[meaning];
	return {
		target: finding.kind === 'unknown' ? finding : FINDINGS.policy,
		invented: 'no_evidence',
		advice: stage === 'greeting' && reply.code < 500 ? 'next_host' : adviceOn(meaning, report),
		rule,
		replyCode: codeOf(reply),
	};
}

const FINDINGS: Readonly<Record<ReplyMeaning, TargetFinding>> = {
	accepted: { kind: 'accepted', certainly: false },
	mailbox_exists: { kind: 'accepted', certainly: true },
	no_such_mailbox: { kind: 'rejected', why: 'rejected_email' },
	mailbox_disabled: { kind: 'rejected', why: 'mailbox_disabled' },
	mailbox_full: { kind: 'full' },
	rate_limited: { kind: 'unknown', why: 'rate_limited' },
	blocked: { kind: 'unknown', why: 'probe_blocked' },
	greylisted: { kind: 'unknown', why: 'greylisted' },
	tls_required: { kind: 'unknown', why: 'tls_required' },
	temporary: { kind: 'unknown', why: 'unavailable_smtp' },
	relay_denied: { kind: 'unknown', why: 'unavailable_smtp' },
	protocol_error: { kind: 'unknown', why: 'unexpected_error' },
	policy: { kind: 'unknown', why: 'antispam_system' },
	undetermined: { kind: 'unknown', why: 'antispam_system' },
};

function codeOf({ code, enhanced }: SmtpReply): string {
	return enhanced === null ? String(code) : `${code} ${enhanced}`;
}

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
