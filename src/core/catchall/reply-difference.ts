import { sha256Hex } from '../../lib/digest.ts';
import { localPartOf } from '../address/parse-address.ts';
import type { SmtpReply } from '../smtp/reply-reader.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';

/**
 * How the reply that accepted the target compares with those that accepted invented recipients. `uncontrolled`: they
 * differ, and we can't tell whether because of the mailbox or because it was asked first. `by_position`: they differ
 * because the target was asked first.
 */
export type ReplyDifference = 'no_evidence' | 'same' | 'differs' | 'uncontrolled' | 'by_position';

/** Digests of an accepting reply's words: without addresses, and also without the local part. */
export type Wording = readonly [words: string, bare: string];

/** The words by which one conversation accepted recipients. Plain data: a prober sends it. */
export interface Words {
	readonly difference: Extract<ReplyDifference, 'no_evidence' | 'same' | 'uncontrolled'>;
	/** Null: it was not accepted. */
	readonly target: Wording | null;
	/** The first invented recipient's; null: a control says nothing. */
	readonly invented: Wording | null;
}

export const NO_WORDS: Words = { difference: 'no_evidence', target: null, invented: null };

const INVENTED_MIN = 2;
const DIGEST_LENGTH = 16;

/**
 * Compares within one conversation, since two servers behind one name may word replies differently. The target is
 * always asked first, so a difference counts only with a control: an invented recipient asked first in another
 * conversation.
 */
export function compareReplies(target: RecipientReply, { invented }: Pick<SessionReport, 'invented'>): Words {
	const [first, ...others] = invented;
	const ofTarget = wordingOf(target);
	const alone = { ...NO_WORDS, target: ofTarget };
	if (ofTarget === null || first === undefined || invented.length < INVENTED_MIN) return alone;
	const ofFirst = wordingOf(first);
	const ofOthers = others.map(wordingOf);
	if (ofFirst === null || !ofOthers.every((other) => other !== null && soundAlike(ofFirst, other)))
		return alone;
	if (soundAlike(ofFirst, ofTarget)) return { ...alone, difference: 'same' };
	return { difference: 'uncontrolled', target: ofTarget, invented: ofFirst };
}

/** @param control the words for an invented recipient that was asked first, elsewhere; null: not accepted, or not asked */
export function differenceOf({ difference, invented }: Words, control: Wording | null): ReplyDifference {
	if (difference !== 'uncontrolled' || control === null || invented === null) return difference;
	return soundAlike(invented, control) ? 'differs' : 'by_position';
}

function wordingOf(one: RecipientReply): Wording | null {
	if (!isAccepted(one)) return null;
	const [words, bare] = wordings(one).map((text) => sha256Hex(text).slice(0, DIGEST_LENGTH));
	return [words ?? '', bare ?? ''];
}

/** RFC 5321 §3.5.3: with a 252 the server did not verify the mailbox. */
function isAccepted({ reply }: RecipientReply): boolean {
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
