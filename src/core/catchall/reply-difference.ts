import { sha256Hex } from '../../lib/digest.ts';
import { localPartOf } from '../address/parse-address.ts';
import type { SmtpReply } from '../smtp/reply-reader.ts';
import type { RecipientReply } from '../smtp/session.ts';
import type { Heard } from '../verification/finding.ts';

/** Digests of an accepting reply's words: without addresses, and also without the local part. */
export type Wording = readonly [words: string, bare: string];

const INVENTED_MIN = 2;
const DIGEST_LENGTH = 16;

/** The words of one conversation for all invented recipients: two servers behind one name may word replies differently. */
export function sharedWording(invented: readonly RecipientReply[]): Wording | null {
	const [first = null, ...others] = invented.map(wordingOf);
	const agree = others.every((other) => first !== null && other !== null && soundAlike(first, other));
	return agree && invented.length >= INVENTED_MIN ? first : null;
}

/**
 * How the words for the target compare with those for invented recipients; null: no evidence. The target is asked
 * first, so a difference counts only with a control. `uncontrolled`: there is none. `by_position`: the first one asked
 * hears other words, whichever it is.
 *
 * @param control the words for an invented recipient that was asked first, elsewhere; null: not accepted, or not asked
 */
export function differenceOf(
	{ target, invented }: Heard['words'],
	control: Wording | null,
): 'same' | 'differs' | 'uncontrolled' | 'by_position' | null {
	if (target === null || invented === null) return null;
	if (soundAlike(target, invented)) return 'same';
	if (control === null) return 'uncontrolled';
	return soundAlike(invented, control) ? 'differs' : 'by_position';
}

/** Null: it was not accepted. */
export function wordingOf(one: RecipientReply): Wording | null {
	if (!isAccepted(one)) return null;
	const [words, bare] = wordings(one).map((text) => sha256Hex(text).slice(0, DIGEST_LENGTH));
	return [words ?? '', bare ?? ''];
}

/** RFC 5321 §3.5.3: with a 252 the server did not verify the mailbox. */
export function isAccepted({ reply }: RecipientReply): boolean {
	return reply !== null && reply.code >= 200 && reply.code < 300 && reply.code !== 252;
}

/** Whether two replies have the same words, apart from the recipient, numbers and ids. */
function soundAlike([a, bareA]: Wording, [b, bareB]: Wording): boolean {
	return a === b || bareA === bareB;
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
