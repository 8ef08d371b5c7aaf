import { isAccepted } from '../catchall/reply-difference.ts';
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

/** What a conversation says. */
export interface Reading {
	/** About each target, in their order. */
	readonly targets: readonly (RecipientReply & { readonly interpretation: Interpretation })[];
	/** The replies to invented recipients by which they are judged, and how these read. */
	readonly invented: readonly RecipientReply[];
	readonly readings: readonly InventedReading[];
	/** How each reply to RCPT reads. */
	readonly classes: ReadonlyMap<RecipientReply, Classification>;
}

/** A conversation with the replies that it is judged by. */
interface Session extends SessionReport, Omit<Reading, 'targets'> {
	readonly operator: OperatorName | null;
}

/**
 * Reads a finished conversation: each reply, and what they all say together.
 *
 * @param known the host's replies to invented recipients in an earlier conversation, for one that has none of its own
 */
export function readSession(
	report: SessionReport,
	operator: OperatorName | null,
	known: readonly RecipientReply[] = [],
): Reading {
	const isOwn = known.length === 0 || report.invented.some(({ reply }) => reply !== null);
	const invented = isOwn ? report.invented : known;
	const { classes, readings } = readInvented(invented, report.sender, operator);
	const session = { ...report, invented, readings, classes, operator };
	for (const target of report.targets) {
		const reading = readRecipient(target, report.sender, operator, witnessOf(target, session));
		if (reading !== null) classes.set(target, reading);
	}
	const targets = report.targets.map((one) => ({ ...one, interpretation: interpret(one, session) }));
	return { targets, invented, readings, classes };
}

function interpret(target: RecipientReply, session: Session): Interpretation {
	const { end, stage, classes, readings, sender, operator } = session;
	const reply = target.reply ?? (end.kind === 'refused' ? end.reply : null);
	if (reply === null) {
		// A host that is silent, or hangs up, before the greeting doesn't serve us. One that does so later is slow or has
		// trouble, and backups would not help.
		const why = end.kind === 'refused' ? 'unexpected_error' : UNANSWERED[end.kind];
		const advice = stage === 'greeting' ? 'next_host' : 'final';
		return { target: { kind: 'unknown', why }, invented: 'no_evidence', advice, rule: null, replyCode: null };
	}
	const reading = classes.get(target) ?? classifyReply({ stage, reply, recipient: null, sender, operator });
	const { meaning, rule } = reading;
	const advice = adviceOn(meaning, session);
	const replyCode = reply.enhanced === null ? String(reply.code) : `${reply.code} ${reply.enhanced}`;
	if (target.reply === null) {
		// A refusal of the greeting, EHLO or MAIL is never about the mailbox, whatever the text says.
		const finding = FINDINGS[meaning].kind === 'unknown' ? FINDINGS[meaning] : FINDINGS.policy;
		const isElsewhere = stage === 'greeting' && reply.code < 500;
		const next = isElsewhere ? 'next_host' : advice;
		return { target: finding, invented: 'no_evidence', advice: next, rule, replyCode };
	}
	const why = doubtOf(meaning, target, reply, session);
	const finding = why === null ? FINDINGS[meaning] : ({ kind: 'unknown', why } as const);
	const invented = advice === 'ask_in_lockstep' ? 'no_evidence' : interpretInvented(readings);
	return { target: finding, invented, advice, rule, replyCode };
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
	{ targets, invented, readings, operator }: Session,
): SubStatusOf<'unknown'> | null {
	if (meaning === 'no_such_mailbox' && hasHabit(operator, 'calls_filtered_unknown'))
		return 'filtered_or_missing';
	// The mailbox exists but refuses outside senders (Exchange 5.7.1xx): mail would bounce, so no claim is made.
	if (meaning === 'mailbox_exists' && code >= 500) return 'antispam_system';
	// The reply names another of our recipients and not this one, or a refusal of another names this one: replies and
	// commands are out of step. Sendmail takes a recipient by the name of an earlier one that leads to the same mailbox.
	const others = [...targets, ...invented].filter((one) => one !== target);
	const isCrossed = (one: RecipientReply): boolean =>
		isMeantFor(target, one) || ((one.reply?.code ?? 0) >= 400 && isMeantFor(one, target));
	if (others.some(isCrossed)) return 'unavailable_smtp';
	// RFC 5321 §3.5.3: with a 252 nothing was verified. It only counts where invented recipients are refused.
	if (code === 252) return interpretInvented(readings) === 'no_evidence' ? 'antispam_system' : null;
	// A reply that invented recipients got, too, says nothing about this mailbox.
	const mayBeOfAll = meaning === 'mailbox_exists' || meaning === 'mailbox_full';
	if (!mayBeOfAll || !readings.includes(meaning)) return null;
	return meaning === 'mailbox_exists' ? 'rate_limited' : 'unavailable_smtp';
}

/** Whether the reply to a recipient names another one instead, and neither as the only one nor as somebody to turn to. */
function isMeantFor({ recipient, reply }: RecipientReply, other: RecipientReply): boolean {
	const text = reply?.lines.join(' ').toLowerCase() ?? '';
	if (/\bonly \S+ is allowed\b|\bcontact\b|\bpostmaster@/u.test(text)) return false;
	return isNamed(other.recipient.toLowerCase(), text) && !isNamed(recipient.toLowerCase(), text);
}

/** Whether the text contains the recipient as a whole address: `maria.ada@x.test` does not name `ada@x.test`. */
function isNamed(recipient: string, text: string): boolean {
	for (let at = text.indexOf(recipient); at >= 0; at = text.indexOf(recipient, at + 1)) {
		if (!/[a-z0-9._+-]/u.test(text[at - 1] ?? ' ')) return true;
	}
	return false;
}

/** How replies to invented recipients read. */
export function readInvented(
	invented: readonly RecipientReply[],
	sender: string | null,
	operator: OperatorName | null,
) {
	const classes = new Map<RecipientReply, Classification>();
	const readings = invented.map((one): InventedReading => {
		const reading = readRecipient(one, sender, operator);
		if (reading !== null) classes.set(one, reading);
		return reading?.meaning ?? 'no_reply';
	});
	return { classes, readings };
}

/** Concludes from them whether the domain accepts every address. */
export function interpretInvented(meanings: readonly InventedReading[]): Interpretation['invented'] {
	const accepted = meanings.filter((meaning) => meaning === 'accepted').length;
	const rejected = meanings.filter((meaning) => meaning === 'no_such_mailbox').length;
	// A block, a deferral or silence for an invented recipient says nothing about the domain.
	if (accepted + rejected === 0) return 'no_evidence';
	if (rejected === 0) return accepted === meanings.length ? 'accepted' : 'mixed';
	return accepted === 0 ? 'rejected' : 'mixed';
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

/** Classifies the reply to one recipient; null: there is none. */
function readRecipient(
	{ recipient, reply }: RecipientReply,
	sender: string | null,
	operator: OperatorName | null,
	witness: Witness = null,
): Classification | null {
	return reply && classifyReply({ stage: 'rcpt', reply, recipient, sender, operator, witness });
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
function witnessOf(target: RecipientReply, { targets, invented, classes, sender }: Session): Witness {
	// A block that began with this reply would also have refused the later targets.
	const after = targets.slice(targets.indexOf(target) + 1);
	const isServed = after.some(isAccepted);
	const says = invented.map((one): Witness => {
		const reading = classes.get(one);
		if (reading === undefined) return null;
		if (isAccepted(one)) return 'for';
		const isSame =
			target.reply?.code === one.reply?.code && templateOf(target, sender) === templateOf(one, sender);
		if (isSame) return isServed ? 'for' : null;
		const isKnown = !reading.rule.startsWith('words.') && !reading.rule.startsWith('fallback.');
		return isKnown && SPEAKS_AGAINST.has(reading.meaning) ? 'against' : null;
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

/** What a reply says apart from the recipient, numbers, ids and host names. */
function templateOf({ recipient, reply }: RecipientReply, sender: string | null): string {
	const clauses = clausesOf(wordsOf(reply?.lines ?? [], recipient, sender)).map((words) => words.join(' '));
	return [reply?.code, reply?.enhanced, ...clauses].join('; ');
}
