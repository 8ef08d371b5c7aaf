import { assert } from '../../lib/assert.ts';
import type { ReplyHabit } from '../mail-operators/operator-row.ts';
import { OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { SmtpReply, Stage } from './reply.ts';
import { REPLY_RULES } from './reply-rules.ts';
import type { ReplyMeaning, ReplyRule } from './reply-rules/rule.ts';

export type { ReplyMeaning } from './reply-rules/rule.ts';

/** What a reply means, and why. */
export interface Classification {
	readonly meaning: ReplyMeaning;
	/** Id of the rule that decided, for the explain trace. */
	readonly rule: string;
}

/** A reply, with the context needed to understand it. */
interface ReplyInContext {
	readonly stage: Stage;
	readonly reply: SmtpReply;
	/** The address we asked about, null before there is one. */
	readonly recipient: string | null;
	/** Our own envelope sender, if known: a reply may quote it. */
	readonly sender?: string | null;
	/** Who runs the mail exchanger; null: unknown. */
	readonly operator: OperatorName | null;
}

// The longest labelled reply we have seen has 1,055 characters; text beyond the limit is ignored.
const TEXT_CHARACTERS_MAX = 4096;

// RFC 5321 §4.5.3.1.1: a local-part has at most 64 octets. Text beyond this limit is no address to search for.
const RECIPIENT_CHARACTERS_MAX = 320;

/** Says what one reply means: the first rule of the table that matches decides. */
export function classifyReply(input: ReplyInContext): Classification {
	const text = wordsOf(input.reply.lines, input.recipient, input.sender ?? null);
	const status = input.reply.enhanced ?? statusWithin(text, input.reply.code);
	const rule = REPLY_RULES.find(
		(candidate) => mayDecide(candidate, input) && holds(candidate, input, text, status),
	);
	assert(rule !== undefined, 'the last rule of the table always holds');
	return { meaning: rule.means, rule: rule.id };
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

/** Limits that hold for every rule of the table: which replies can be about the mailbox at all. */
function mayDecide(rule: ReplyRule, { stage, reply }: ReplyInContext): boolean {
	// RFC 5321 §3.8: a 421 ends the session, so it speaks of the connection.
	if (ABOUT_MAILBOX.has(rule.means) && (stage !== 'rcpt' || reply.code === 421)) return false;
	return !ONLY_PERMANENT.has(rule.means) || reply.code >= 500;
}

function holds(rule: ReplyRule, input: ReplyInContext, text: string, status: string | null): boolean {
	const { stage, reply, operator } = input;
	return (
		(rule.class === undefined || rule.class === Math.floor(reply.code / 100)) &&
		(rule.stages === undefined || rule.stages.includes(stage)) &&
		(rule.codes === undefined || rule.codes.includes(reply.code)) &&
		(rule.habit === undefined || hasHabit(operator, rule.habit)) &&
		(rule.status === undefined || (status !== null && rule.status.test(status))) &&
		(rule.notStatus === undefined || status === null || !rule.notStatus.test(status)) &&
		(rule.text === undefined || rule.text.test(text)) &&
		(rule.unless === undefined || !rule.unless.test(text))
	);
}

function hasHabit(operator: OperatorName | null, habit: ReplyHabit): boolean {
	return operator !== null && (OPERATORS[operator].replyHabits?.includes(habit) ?? false);
}

// Any other address. Its mark differs from the recipient's: "<us@us.test> does not exist" is about our sender.
const OTHER_ADDRESS = /[^\s<>@"'()[\]:;,]{1,64}@[^\s<>@"'()[\]:;,]{1,255}/gu;

/** All lines as one lower-case text without accents, and without the addresses that the server echoes back. */
function wordsOf(lines: readonly string[], recipient: string | null, sender: string | null): string {
	const plain = folded(firstCharacters(lines, TEXT_CHARACTERS_MAX));
	const withoutEcho = recipient === null ? plain : withoutRecipient(plain, folded(recipient));
	const withoutSender = sender === null ? withoutEcho : withoutEcho.replaceAll(folded(sender), '<us>');
	return withoutSender
		.replaceAll(OTHER_ADDRESS, '<@>')
		.replaceAll(/[<"'([]{0,8}<(@|us|)>[>"')\]]{0,8}/gu, '<$1>')
		.replaceAll(/[\s_]+/gu, ' ')
		.replaceAll('<> <>', '<>')
		.trim();
}

function firstCharacters(lines: readonly string[], max: number): string {
	let text = '';
	for (const line of lines) {
		if (text.length >= max) break;
		text += `${line.slice(0, max)} `;
	}
	return text.slice(0, max);
}

/** Makes `Boîte pleine` and `BOITE PLEINE` equal. NFKD may lengthen a text, so it is cut again. */
function folded(text: string): string {
	return text
		.toLowerCase()
		.normalize('NFKD')
		.replaceAll(/[\u0300-\u036f\u200b-\u200d\ufeff]/gu, '')
		.normalize('NFC')
		.replaceAll(/[\u2018\u2019\u02bc`´]/gu, "'")
		.slice(0, TEXT_CHARACTERS_MAX);
}

/** Removes the echoed recipient: `george.listed@blocked.org` must match neither "listed" nor "blocked". */
function withoutRecipient(text: string, recipient: string): string {
	const at = recipient.lastIndexOf('@');
	if (at <= 0 || recipient.length > RECIPIENT_CHARACTERS_MAX) return text;
	const localPart = recipient.slice(0, at);
	const domain = recipient.slice(at + 1);
	let rest = text.replaceAll(recipient, '<>').replaceAll(`@${domain}`, ' ');
	for (const [open, close] of ECHO_MARKS) rest = rest.replaceAll(`${open}${localPart}${close}`, '<>');
	// A local-part of letters only may be the server's own word ("user unknown", asked about unknown@), so it is
	// removed only inside echo marks; any other local-part is removed everywhere.
	if (/[^a-z]/u.test(localPart)) rest = withoutToken(rest, localPart, '<>');
	return domain === '' ? rest : withoutToken(rest, domain, ' ');
}

const ECHO_MARKS = [
	['<', '>'],
	['"', '"'],
	["'", "'"],
	['(', ')'],
	['[', ']'],
] as const;

/** Replaces `token` where it is not part of a longer word. */
function withoutToken(text: string, token: string, replacement: string): string {
	return text
		.split(token)
		.reduce((before, after) =>
			/[a-z0-9]$/u.test(before) || /^[a-z0-9]/u.test(after)
				? `${before}${token}${after}`
				: `${before}${replacement}${after}`,
		);
}

/** A status that is not at the start of a line, such as `(#5.1.1)` or `cuda_nsu 5.1.1`, if its class is the code's. */
function statusWithin(text: string, code: number): string | null {
	const found = /(?:^|[\s(#])([45])\.(\d{1,3})\.(\d{1,3})(?![.\d])/u.exec(text);
	if (found === null || found[1] !== String(Math.floor(code / 100))) return null;
	return `${found[1]}.${found[2] ?? ''}.${found[3] ?? ''}`;
}
