import type { Words } from '../catchall/reply-difference.ts';
import type { MailOperator, OperatorName } from '../mail-operators/operators.ts';
import { classifyReply, hasHabit } from '../smtp/classify-reply.ts';
import type { Classification, Witness } from '../smtp/classify-reply.ts';
import type { SmtpReply } from '../smtp/reply-reader.ts';
import type { ReplyMeaning } from '../smtp/reply-rule.ts';
import { wordsOf } from '../smtp/reply-text.ts';
import { clausesOf } from '../smtp/reply-words/read-words.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { PauseReason } from '../turns/pause.ts';
import type { SubStatusOf } from './sub-status.ts';

/** The meaning of the server's answer to one invented recipient. */
export type InventedReading = ReplyMeaning | 'no_reply';

/** The outcome of asking a domain's mail hosts about one target. The prober has read their replies; none is read again. */
export type Finding =
	| {
			readonly kind: 'heard';
			readonly host: string;
			readonly interpretation: Interpretation;
			readonly words: Words;
			/** How the replies to invented recipients read, of this conversation or an earlier one about the domain. */
			readonly readings: readonly InventedReading[];
			/** A host of better preference had failed before this one answered. */
			readonly viaBackup: boolean;
			/** The operator of the host that answered (another host of the domain may have another); null: unknown. */
			readonly operator: MailOperator | null;
			/** The conversation went over to TLS. */
			readonly secured: boolean;
	  }
	/** Not asked: the host, or its operator, blocked or rate-limited us lately. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Not asked: our own capacity for the host is used up until then (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number }
	/** No host took a connection. `tried`: how many were dialled. */
	| { readonly kind: 'no_connect'; readonly tried: number }
	/** The hosts' IP addresses could not be looked up in time. */
	| { readonly kind: 'dns_error' }
	/** Every host has only private or invalid addresses, or none. */
	| { readonly kind: 'unroutable' };

/** The outcome for a target that a host replied to. */
export type Heard = Extract<Finding, { kind: 'heard' }>;

/** The conclusion about the target. Only the answer to our RCPT of this very address proves anything about it. */
export type TargetFinding =
	/** `certainly`: the reply is about the mailbox itself, so it holds even on a catch-all. */
	| { readonly kind: 'accepted'; readonly certainly: boolean }
	| { readonly kind: 'rejected'; readonly why: 'rejected_email' | 'mailbox_disabled' }
	| { readonly kind: 'full' }
	| { readonly kind: 'unknown'; readonly why: SubStatusOf<'unknown'> };

/** The conclusion from the invented recipients about the domain. `mixed`: some were accepted, some not. */
export type InventedFinding = 'accepted' | 'rejected' | 'mixed' | 'no_evidence';

/** The next step before the finding is believed. */
export type Advice =
	| 'final'
	/** This host did not serve us at all; the next MX may (RFC 5321 §5.1). */
	| 'next_host'
	/** The host seems not to handle pipelined commands: ask once more, one command at a time. */
	| 'ask_in_lockstep'
	/** The answer is temporary: short greylisting and postscreen give such answers at first contact. */
	| 'ask_again_soon';

export interface Interpretation {
	readonly target: TargetFinding;
	readonly invented: InventedFinding;
	readonly advice: Advice;
	/** The rule that matched the deciding reply, and the reply's code, for the explanation. Null: there was no reply. */
	readonly rule: string | null;
	readonly replyCode: string | null;
}

/**
 * Judges what a finished conversation says about one of its targets.
 *
 * @param index which of the plan's targets
 * @param elsewhere the same host's replies to invented recipients in an earlier conversation; used where this one has
 *   none
 */
export function interpretSession(
	conversation: SessionReport,
	operator: OperatorName | null,
	index = 0,
	elsewhere: readonly RecipientReply[] = [],
): Interpretation {
	const report = withInvented(conversation, elsewhere);
	const target = report.targets[index];
	if (target?.reply) return interpretTarget(target, target.reply, report, operator);
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

function interpretTarget(
	target: RecipientReply,
	reply: SmtpReply,
	report: SessionReport,
	operator: OperatorName | null,
): Interpretation {
	const { meaning, rule } = readTarget(target, report, operator);
	const invented = interpretInvented(report, operator);
	const stumbles = meaning === 'protocol_error' && report.pipelined;
	return {
		target: doubtOf(meaning, { target, reply, report, invented }, operator) ?? FINDINGS[meaning],
		invented: stumbles ? 'no_evidence' : invented,
		advice: adviceOn(meaning, report),
		rule,
		replyCode: codeOf(reply),
	};
}

function adviceOn(meaning: ReplyMeaning, { pipelined }: SessionReport): Advice {
	if (meaning === 'protocol_error' && pipelined) return 'ask_in_lockstep';
	return meaning === 'greylisted' || meaning === 'temporary' ? 'ask_again_soon' : 'final';
}

/** Why a reply to the target is not believed; null: it is. */
function doubtOf(
	meaning: ReplyMeaning,
	{
		target,
		reply,
		report,
		invented,
	}: {
		readonly target: RecipientReply;
		readonly reply: SmtpReply;
		readonly report: SessionReport;
		readonly invented: InventedFinding;
	},
	operator: OperatorName | null,
): TargetFinding | null {
	if (meaning === 'no_such_mailbox' && hasHabit(operator, 'calls_filtered_unknown'))
		return { kind: 'unknown', why: 'filtered_or_missing' };
	// The mailbox exists but refuses outside senders (Exchange 5.7.1xx): mail would bounce, so no claim is made.
	if (meaning === 'mailbox_exists' && reply.code >= 500) return { kind: 'unknown', why: 'antispam_system' };
	// The reply names another of our recipients and not this one: replies and commands are out of step.
	const text = reply.lines.join(' ').toLowerCase();
	const names = ({ recipient }: RecipientReply): boolean => isNamed(recipient.toLowerCase(), text);
	const saysOnly = /\bonly \S+ is allowed\b/u.test(text);
	if (!saysOnly && !names(target) && [...report.targets, ...report.invented].some(names))
		return { kind: 'unknown', why: 'unavailable_smtp' };
	// RFC 5321 §3.5.3: with a 252 nothing was verified. It only counts where invented recipients are refused.
	if (meaning !== 'mailbox_exists' && meaning !== 'mailbox_full')
		return reply.code === 252 && invented === 'no_evidence'
			? { kind: 'unknown', why: 'antispam_system' }
			: null;
	// A reply that invented recipients got, too, says nothing about this mailbox.
	if (!readInvented(report, operator).includes(meaning)) return null;
	return { kind: 'unknown', why: meaning === 'mailbox_exists' ? 'rate_limited' : 'unavailable_smtp' };
}

/** Whether the text contains the recipient as a whole address: `maria.ada@x.test` does not name `ada@x.test`. */
function isNamed(recipient: string, text: string): boolean {
	for (let at = text.indexOf(recipient); at >= 0; at = text.indexOf(recipient, at + 1)) {
		if (!/[a-z0-9._+-]/u.test(text[at - 1] ?? ' ')) return true;
	}
	return false;
}

/** Invented recipients, and the sender who asked; null: not known any more. */
interface Invented {
	readonly invented: readonly RecipientReply[];
	readonly sender: string | null;
}

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
export function interpretInvented(heard: Invented, operator: OperatorName | null): InventedFinding {
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
