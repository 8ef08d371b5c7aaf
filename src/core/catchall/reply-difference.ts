import { localPartOf } from '../address/parse-address.ts';
import type { SmtpReply } from '../smtp/reply-reader.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';

/**
 * How the reply that accepted the target compares with those that accepted invented recipients. `uncontrolled`: they
 * differ, and we can't tell whether because of the mailbox or because it was asked first. `by_position`: they differ
 * because the target was asked first.
 */
export type ReplyDifference = 'no_evidence' | 'same' | 'differs' | 'uncontrolled' | 'by_position';

const INVENTED_MIN = 2;

/**
 * Compares within one conversation, since two servers behind one name may word replies differently. The target is
 * always asked first, so a difference counts only with a control: an invented recipient asked first in another
 * conversation.
 */
export function compareReplies(
	{ targets, invented }: SessionReport,
	control: RecipientReply | null,
): ReplyDifference {
	const [target] = targets;
	const [first, ...others] = invented;
	if (target === undefined || first === undefined || invented.length < INVENTED_MIN) return 'no_evidence';
	if (![target, ...invented].every(isAccepted)) return 'no_evidence';
	if (!others.every((other) => soundAlike(first, other))) return 'no_evidence';
	if (soundAlike(first, target)) return 'same';
	if (control === null || !isAccepted(control)) return 'uncontrolled';
	return soundAlike(first, control) ? 'differs' : 'by_position';
}

/** RFC 5321 §3.5.3: with a 252 the server did not verify the mailbox. */
function isAccepted({ reply }: RecipientReply): boolean {
	return reply !== null && reply.code >= 200 && reply.code < 300 && reply.code !== 252;
}

/** Whether two replies have the same words, apart from the recipient, numbers and ids. */
function soundAlike(a: RecipientReply, b: RecipientReply): boolean {
	const [ofB, bareOfB] = wordings(b);
	const [ofA, bareOfA] = wordings(a);
	return ofA === ofB || bareOfA === bareOfB;
}

// Sendmail repeats the first recipient that a table leads to the same mailbox.
const ADDRESS = /[^\s<>()"']{1,64}@[^\s<>()"']{1,255}/gu;

/** The reply without addresses, and also without the local part: for `ok@x.test`, `250 ok` loses its `ok`. */
function wordings({ recipient, reply }: RecipientReply): readonly [string, string] {
	if (reply === null) return ['', ''];
	const words = reply.lines.join(' ').toLowerCase();
	const text = words.replaceAll(recipient.toLowerCase(), '<>').replaceAll(ADDRESS, '<>');
	const localPart = localPartOf(recipient).toLowerCase();
	return [frame(reply, text), frame(reply, text.replaceAll(localPart, '<>'))];
}

// A word with a digit is a queue id, a count or a time. The enhanced status is compared separately.
function frame({ code, enhanced }: SmtpReply, text: string): string {
	const words = text
		.replaceAll(/\S+/gu, (word) => (/\d/.test(word) ? '#' : word))
		.replaceAll(/\s+/gu, ' ')
		.trim();
	return `${code} ${enhanced ?? '-'} ${words}`;
}
