import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { classifyReply, hasHabit } from '../smtp/classify-reply.ts';
import type { ReplyMeaning } from '../smtp/reply-meaning.ts';
import { readRecipient, readTarget, withInvented } from './read-recipient.ts';
import type { SubStatusOf } from './sub-status.ts';

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
	if (target?.reply) return interpretTarget(target, report, operator);
	const invented: InventedFinding = 'no_evidence';
	switch (report.end.kind) {
		case 'refused':
			return interpretRefusal(report, report.end.reply, operator);
		case 'smtputf8_missing':
			return { ...unknown('smtputf8_unsupported'), invented, advice: 'final' };
		case 'tls_failed':
			return { ...unknown('tls_required'), invented, advice: 'final' };
		case 'timeout':
			// A host that is silent before the greeting doesn't serve us. One that falls silent later is slow, and
			// backups would not help.
			return { ...unknown('timeout'), invented, advice: report.stage === 'greeting' ? 'next_host' : 'final' };
		case 'limit':
		case 'closed':
		case 'fault':
			return {
				...unknown('unavailable_smtp'),
				invented,
				advice: report.stage === 'greeting' ? 'next_host' : 'final',
			};
		case 'complete':
			return { ...unknown('unexpected_error'), invented, advice: 'final' };
	}
}

function interpretTarget(
	target: RecipientReply,
	report: SessionReport,
	operator: OperatorName | null,
): Interpretation {
	const read = readTarget(target, report, operator);
	const evidence = { rule: read.rule, replyCode: codeOf(target) };
	const invented = interpretInvented(report, operator);
	const finding = doubtOf(read.meaning, target, report, operator) ?? findingOf(read.meaning);
	if (read.meaning === 'protocol_error' && report.pipelined) {
		return { target: finding, invented: 'no_evidence', advice: 'ask_in_lockstep', ...evidence };
	}
	const mayPass = read.meaning === 'greylisted' || read.meaning === 'temporary';
	return {
		target: finding,
		invented,
		advice: mayPass ? 'ask_again_soon' : 'final',
		...evidence,
	};
}

/** Why a reply to the target is not believed; null: it is. */
function doubtOf(
	meaning: ReplyMeaning,
	target: RecipientReply,
	report: SessionReport,
	operator: OperatorName | null,
): TargetFinding | null {
	const { reply } = target;
	if (reply === null) return null;
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
	if (meaning !== 'mailbox_exists' && meaning !== 'mailbox_full')
		return doubtOfUnverified(reply, report, operator);
	// A reply that invented recipients got, too, says nothing about this mailbox.
	const saysOfAll = report.invented.some(
		(one) => readRecipient(one, report.sender, operator).meaning === meaning,
	);
	if (!saysOfAll) return null;
	return { kind: 'unknown', why: meaning === 'mailbox_exists' ? 'rate_limited' : 'unavailable_smtp' };
}

/** Whether the text contains the recipient as a whole address: `maria.ada@x.test` does not name `ada@x.test`. */
function isNamed(recipient: string, text: string): boolean {
	for (let at = text.indexOf(recipient); at >= 0; at = text.indexOf(recipient, at + 1)) {
		if (!/[a-z0-9._+-]/u.test(text[at - 1] ?? ' ')) return true;
	}
	return false;
}

/** RFC 5321 §3.5.3: with a 252 nothing was verified. It only counts where invented recipients are refused. */
function doubtOfUnverified(
	reply: NonNullable<RecipientReply['reply']>,
	report: SessionReport,
	operator: OperatorName | null,
): TargetFinding | null {
	const isUnproven = reply.code === 252 && interpretInvented(report, operator) === 'no_evidence';
	return isUnproven ? { kind: 'unknown', why: 'antispam_system' } : null;
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
): readonly (ReplyMeaning | 'no_reply')[] {
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
	reply: NonNullable<RecipientReply['reply']>,
	operator: OperatorName | null,
): Interpretation {
	const { stage, sender } = report;
	const read = classifyReply({ stage, reply, recipient: null, sender, operator });
	const finding = findingOf(read.meaning);
	const target: TargetFinding =
		finding.kind === 'unknown' ? finding : { kind: 'unknown', why: 'antispam_system' };
	return {
		target,
		invented: 'no_evidence',
		advice: adviceOnRefusal(report, reply.code, read.meaning),
		rule: read.rule,
		replyCode: replyCode(reply),
	};
}

function adviceOnRefusal(report: SessionReport, code: number, meaning: ReplyMeaning): Advice {
	if (report.stage === 'greeting' && code < 500) return 'next_host';
	if (meaning === 'protocol_error' && report.pipelined) return 'ask_in_lockstep';
	return meaning === 'greylisted' || meaning === 'temporary' ? 'ask_again_soon' : 'final';
}

function findingOf(meaning: ReplyMeaning): TargetFinding {
	switch (meaning) {
		case 'accepted':
			return { kind: 'accepted', certainly: false };
		case 'mailbox_exists':
			return { kind: 'accepted', certainly: true };
		case 'no_such_mailbox':
			return { kind: 'rejected', why: 'rejected_email' };
		case 'mailbox_disabled':
			return { kind: 'rejected', why: 'mailbox_disabled' };
		case 'mailbox_full':
			return { kind: 'full' };
		case 'rate_limited':
			return { kind: 'unknown', why: 'rate_limited' };
		case 'blocked':
			return { kind: 'unknown', why: 'probe_blocked' };
		case 'greylisted':
			return { kind: 'unknown', why: 'greylisted' };
		case 'tls_required':
			return { kind: 'unknown', why: 'tls_required' };
		case 'temporary':
		case 'relay_denied':
			return { kind: 'unknown', why: 'unavailable_smtp' };
		case 'protocol_error':
			return { kind: 'unknown', why: 'unexpected_error' };
		case 'policy':
		case 'undetermined':
			return { kind: 'unknown', why: 'antispam_system' };
	}
}

function unknown(why: SubStatusOf<'unknown'>): Pick<Interpretation, 'target' | 'rule' | 'replyCode'> {
	return { target: { kind: 'unknown', why }, rule: null, replyCode: null };
}

function codeOf({ reply }: RecipientReply): string | null {
	return reply === null ? null : replyCode(reply);
}

function replyCode(reply: NonNullable<RecipientReply['reply']>): string {
	return reply.enhanced === null ? String(reply.code) : `${reply.code} ${reply.enhanced}`;
}
