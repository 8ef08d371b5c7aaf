import type { SmtpReply } from './reply-reader.ts';
import type { Said } from './session-plan.ts';

// A server may put pages into a reply; what it means stands at the beginning. None of 539 labelled replies has another
// meaning by its first 600 characters.
const LINES_KEPT = 3;
const LINE_CHARACTERS_KEPT = 200;
// It ends at a space, or within a word that is longer than a line.
const LINE_KEPT = /.{1,200}(?= |$)|.{200}/g;

/** The reply in at most three printable lines of 200 characters, into which a longer text is filled. */
export function shortened(reply: SmtpReply): SmtpReply {
	const lines = reply.lines.map(printable);
	const fits = lines.length <= LINES_KEPT && lines.every(({ length }) => length <= LINE_CHARACTERS_KEPT);
	return {
		...reply,
		lines: fits ? lines : (lines.join(' ').match(LINE_KEPT)?.slice(0, LINES_KEPT) ?? []),
	};
}

/** The reply as one printable line. */
export function writtenDown({ code, enhanced, lines }: SmtpReply): Said {
	const text = printable(lines.join(' / ')).slice(0, LINES_KEPT * LINE_CHARACTERS_KEPT);
	return { code, enhanced, text };
}

const KEYWORDS = new Set(['PIPELINING', 'SMTPUTF8', 'STARTTLS']);

/** The keywords that we know of a whole reply to EHLO. */
export function keywordsOf({ lines }: SmtpReply): ReadonlySet<string> {
	const words = lines.slice(1).map((line) => (line.trim().split(/[\s=]/)[0] ?? '').toUpperCase());
	return new Set(words.filter((word) => KEYWORDS.has(word)));
}

/** Control characters and line separators steer a terminal, and take six characters each in JSON. */
function printable(text: string): string {
	return text.replaceAll('\t', ' ').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}

// The longest labelled reply we have seen has 1,055 characters; text beyond the limit is ignored.
const TEXT_CHARACTERS_MAX = 4096;

// Any other address. Its mark differs from the recipient's: "<us@us.test> does not exist" is about our sender.
const OTHER_ADDRESS = /[^\s<>@"'()[\]:;,]{1,64}@[^\s<>@"'()[\]:;,]{1,255}/gu;

/** All lines as one lower-case text without accents, and without the addresses that the server echoes back. */
export function wordsOf(lines: readonly string[], recipient: string | null, sender: string | null): string {
	const plain = folded(lines.join(' '));
	const withoutEcho = recipient === null ? plain : withoutRecipient(plain, folded(recipient));
	const withoutSender = sender === null ? withoutEcho : withoutEcho.replaceAll(folded(sender), '<us>');
	const marked = withoutSender
		.replaceAll(OTHER_ADDRESS, '<@>')
		.replaceAll(/[<"'([]{0,8}<(@|us|)>[>"')\]]{0,8}/gu, '<$1>')
		.replaceAll(/[\s_]+/gu, ' ')
		.replaceAll('<> <>', '<>');
	return unified(marked).trim();
}

/** Makes `Boîte pleine` and `BOITE PLEINE` equal. NFKD may lengthen a text, so it is cut again. */
function folded(text: string): string {
	return text
		.slice(0, TEXT_CHARACTERS_MAX)
		.toLowerCase()
		.normalize('NFKD')
		.replaceAll(/[\u0300-\u036f\u200b-\u200d\ufeff]/gu, '')
		.normalize('NFC')
		.replaceAll(/[\u2018\u2019\u02bc`´]/gu, "'")
		.slice(0, TEXT_CHARACTERS_MAX);
}

/** One spelling for words that are written in several ways. */
function unified(text: string): string {
	return text
		.replaceAll(/\b(can|could|does|do|did|is|was|are|has|have|had)n['o]?t\b/gu, '$1 not')
		.replaceAll(/\bcannot\b|\bcan't\b/gu, 'can not')
		.replaceAll(/\b(?:n|l|d|qu)'(?=\p{L})/gu, (elided) => (elided === "n'" ? 'ne ' : ''))
		.replaceAll(/\b(mail|in|post) ?-?(box(?:es)?)\b/gu, '$1$2')
		.replaceAll(/\be-?mail/gu, 'email')
		.replaceAll(/\bnon[ -]?exist/gu, 'nonexist')
		.replaceAll(/\blocal[ -]part\b/gu, 'localpart')
		.replaceAll(/\bun-(?=\p{L})/gu, 'un');
}

/** Removes the echoed recipient: `george.listed@blocked.org` must match neither "listed" nor "blocked". */
function withoutRecipient(text: string, recipient: string): string {
	const at = recipient.lastIndexOf('@');
	if (at <= 0) return text;
	const localPart = recipient.slice(0, at);
	const domain = recipient.slice(at + 1);
	let rest = text.replaceAll(recipient, '<>').replaceAll(`@${domain}`, ' ');
	for (const [open = '', close = ''] of ECHO_MARKS)
		rest = rest.replaceAll(`${open}${localPart}${close}`, '<>');
	// A local-part of letters only may be the server's own word ("user unknown", asked about unknown@). We remove it
	// only inside echo marks, and any other local-part everywhere.
	if (/[^a-z]/u.test(localPart)) rest = withoutToken(rest, localPart, '<>');
	return domain === '' ? rest : withoutToken(rest, domain, ' ');
}

const ECHO_MARKS = ['<>', '""', "''", '()', '[]'];

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

// After a letter, digit or dot it is part of a version, an IP address or an id.
const STATUS_WITHIN = /(?<![\p{L}\p{N}.]|version )([245])\.(\d{1,3})\.(\d{1,3})(?![.\d])/u;

/**
 * The first status anywhere in the text (`(#5.1.1)`, `cuda_nsu 5.1.1`, `"5.1.1`, `550-5.1.1`), or null. Its class
 * must be the code's.
 */
export function statusWithin(text: string, code: number): string | null {
	const found = STATUS_WITHIN.exec(text);
	if (found === null || found[1] !== String(Math.floor(code / 100))) return null;
	return `${found[1]}.${found[2] ?? ''}.${found[3] ?? ''}`;
}
