import { assert } from '../../lib/assert.ts';
import type { ReplyHabit } from '../mail-operators/operator-row.ts';
import { OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { SmtpReply, Stage } from './reply-reader.ts';
import { REPLY_RULES } from './reply-rules.ts';
import type { ReplyMeaning, ReplyRule } from './reply-rule.ts';
import { statusWithin, wordsOf } from './reply-text.ts';
import { likelihoodOfMissing } from './reply-words/read-words.ts';

/** The meaning of a reply, and the rule that decided it. */
export interface Classification {
	readonly meaning: ReplyMeaning;
	/** Id of the rule that decided, for the explain trace. */
	readonly rule: string;
	/** If no rule knows the wording: how likely its words say "no such mailbox", 0-1. Null: a rule decided. */
	readonly likelihood: number | null;
}

/**
 * How replies to the host's other recipients relate to a reply that only reads as "no such mailbox": they support it,
 * they contradict it, or neither (null).
 */
export type Witness = 'for' | 'against' | null;

/** A reply, with the context needed to understand it. */
interface ReplyInContext {
	readonly stage: Stage;
	readonly reply: SmtpReply;
	/** The address we asked about, null before there is one. */
	readonly recipient: string | null;
	/** Our own envelope sender, if known: a reply may quote it. */
	readonly sender?: string | null;
	/** The operator of the mail exchanger; null: unknown. */
	readonly operator: OperatorName | null;
	readonly witness?: Witness;
}

// Only a reply to RCPT can be about the mailbox.
const ABOUT_MAILBOX: ReadonlySet<ReplyMeaning> = new Set([
	'mailbox_exists',
	'no_such_mailbox',
	'mailbox_disabled',
	'mailbox_full',
]);

// A temporary refusal proves nothing: postgrey's 450 reads "Recipient address rejected: Greylisted".
const ONLY_PERMANENT: ReadonlySet<ReplyMeaning> = new Set(['no_such_mailbox', 'mailbox_disabled']);

/** Classifies one reply: the first rule of the table that matches decides. */
export function classifyReply(input: ReplyInContext): Classification {
	const { stage, reply, recipient, sender = null, operator, witness } = input;
	const text = wordsOf(reply.lines, recipient, sender);
	const status = reply.enhanced ?? statusWithin(text, reply.code);
	const likelihood = () =>
		witness === 'against' ? null : likelihoodOfMissing({ code: reply.code, status, text });
	// RFC 5321 §3.8: a 421 ends the session, so it speaks of the connection.
	const mayBeAboutMailbox = stage === 'rcpt' && reply.code !== 421;
	const holds = (rule: ReplyRule): boolean =>
		(mayBeAboutMailbox || !ABOUT_MAILBOX.has(rule.means)) &&
		(reply.code >= 500 || !ONLY_PERMANENT.has(rule.means)) &&
		(rule.class === undefined || rule.class === Math.floor(reply.code / 100)) &&
		(rule.stages === undefined || rule.stages.includes(stage)) &&
		(rule.codes === undefined || rule.codes.includes(reply.code)) &&
		(rule.habit === undefined || hasHabit(operator, rule.habit)) &&
		(rule.status === undefined || (status !== null && rule.status.test(status))) &&
		(rule.notStatus === undefined || status === null || !rule.notStatus.test(status)) &&
		(rule.text === null || rule.text.test(text)) &&
		(rule.unless === null || !rule.unless.test(text)) &&
		(rule.seconded === undefined || witness === 'for') &&
		(rule.likelihood === undefined || (likelihood() ?? 0) >= rule.likelihood);
	const rule = REPLY_RULES.find(holds);
	assert(rule !== undefined, 'the last rule of the table always holds');
	return {
		meaning: rule.means,
		rule: rule.id,
		likelihood: rule.likelihood === undefined ? null : likelihood(),
	};
}

/** Whether replies of the operator (null: not known) have a meaning of their own. */
export function hasHabit(operator: OperatorName | null, habit: ReplyHabit): boolean {
	return operator !== null && (OPERATORS[operator].replyHabits?.includes(habit) ?? false);
}
