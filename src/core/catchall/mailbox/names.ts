import { NAMES } from './data/names.ts';
import { nameText } from './letters.ts';
import { lazySet } from '../../lists/domain-kinds.ts';

/** What a word is known as: a first name, a last name, or both (Martin, Jordan). */
const KINDS = ['first', 'last', 'both'] as const;
type NameKind = (typeof KINDS)[number];

// Parsed lazily, by first letter: parsing all at once would add 30 ms to a cold start.
const lines = new Map(
	NAMES.trim()
		.split('\n')
		.map((line) => [line.charAt(1), line]),
);
const dictionary = new Map<string, ReadonlyMap<string, NameKind>>();

/**
 * The dictionary's entry for a folded word, or null. A missing name proves nothing: the dictionary covers some seventy
 * locales, and there are more.
 */
export function findName(word: string): NameKind | null {
	const letter = word.charAt(0);
	let names = dictionary.get(letter);
	if (names === undefined) dictionary.set(letter, (names = readNames(lines.get(letter) ?? '')));
	return names.get(word) ?? null;
}

const SMALL_A = 97;

// tools/build-trigrams.ts writes this format and describes it.
function readNames(line: string): Map<string, NameKind> {
	const names = new Map<string, NameKind>();
	let name = '';
	let at = 0;
	while (at < line.length) {
		const sign = line.charCodeAt(at) - 40;
		const start = at + 1;
		do at += 1;
		while (line.charCodeAt(at) >= SMALL_A);
		name = name.slice(0, sign % 16) + line.slice(start, at);
		const kind = KINDS[sign >> 4];
		if (kind !== undefined) names.set(name, kind);
	}
	return names;
}

// Words that people type to get past a form. Each also matches with a number, and two-word ones with a separator.
// Left out on purpose because real mailboxes have these names: `na`, `no`, `nil`, `bar`, `anon`, `mail`.
const placeholders = lazySet(`
test tests testing tester testtest testuser usertest testemail emailtest testaccount testmail testme mytest
asdf qwer zxcv asdfasdf qwertqwert
noemail nomail nomailbox noaddress none null undefined unknown notavailable notprovided notapplicable
nobody noone anonymous
example sample dummy fake fakeemail foo foobar foobarbaz blah blahblah lorem loremipsum placeholder
user username someone somebody name myname yourname firstname lastname firstnamelastname fullname
email youremail myemail emailaddress someemail
abc abcd abcde abcdef abcdefg xyz
`);
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'];
// Shorter runs within a row may be names (Wert).
const RUN_LETTERS_MIN = 5;

/** Whether the folded base of a local part was typed to fill a field: `test`, `no-email`, `xxx`, `asdfgh`. */
export function isPlaceholder(folded: string): boolean {
	const text = folded.replace(/[._-]?(?<!\d)\d+$/, '');
	const joined = text.replaceAll(/[._-]/g, '');
	if (placeholders().has(joined) && (joined === text || joined.length > 4)) return true;
	const isRun = text.length >= RUN_LETTERS_MIN && KEYBOARD_ROWS.some((row) => row.includes(text));
	return isRun || /^x{3,}$/.test(text) || /^(\p{L})\1{3,}$/u.test(text);
}

// Return paths made for the bounces of one message (BATV prvs=, SRS0=, VERP user=example.com).
const BOUNCE_PATH = /^(?:prvs|btv1|srs[01])=|^bounces?[-+.].*\d|[^=]=[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const HEX = /(?<![\p{L}\d])[\da-f]{16,}(?![\p{L}\d])/u;

/** Whether a machine generated the local part: a hash, an identifier, the return path of one message. */
export function isMachineMade(localPart: string): boolean {
	const text = localPart.toLowerCase();
	return BOUNCE_PATH.test(text) || UUID.test(text) || HEX.test(text);
}

/**
 * How companies derive mailboxes from names, with the share of each pattern for a company that we know nothing about;
 * the shares add up to 1. `other` fits none of the patterns.
 */
export const PATTERN_SHARES = {
	'first.last': 0.45,
	flast: 0.16,
	first: 0.14,
	'f.last': 0.05,
	firstlast: 0.05,
	first_last: 0.03,
	last: 0.02,
	'first.l': 0.02,
	'last.first': 0.02,
	lastf: 0.01,
	other: 0.05,
};
export type NamePattern = keyof typeof PATTERN_SHARES;

export interface NameShape {
	readonly pattern: NamePattern;
	/** How many of its words the dictionary knows as names, not counting initials. */
	readonly knownNames: number;
}

/** Reads the shape of a local part. Two words need no dictionary, one word does. */
export function nameShape(localPart: string): NameShape {
	const text = nameText(localPart);
	if (!/^\p{L}+(?:[._-]\p{L}+)*$/u.test(text)) return { pattern: 'other', knownNames: 0 };
	const separator = ['.', '_', '-'].find((sign) => text.includes(sign));
	if (separator === undefined) return oneWord(text);
	const words = text.split(separator);
	const [before, after, third] = words;
	if (before === undefined || after === undefined || third !== undefined) {
		return { pattern: 'other', knownNames: words.filter(isKnown).length };
	}
	return twoWords(before, separator, after);
}

function twoWords(before: string, separator: string, after: string): NameShape {
	const knownNames = [before, after].filter(isKnown).length;
	const shape = (pattern: NamePattern): NameShape => ({ pattern, knownNames });
	if (separator === '-') return shape('other');
	const initials = [before, after].filter(isInitial).length;
	if (separator === '_') return shape(initials === 0 ? 'first_last' : 'other');
	if (initials === 2) return shape('other');
	if (isInitial(before)) return shape('f.last');
	if (isInitial(after)) return shape('first.l');
	const straight = Number(isFirst(before)) + Number(isLast(after));
	const reversed = Number(isLast(before)) + Number(isFirst(after));
	return shape(reversed > straight ? 'last.first' : 'first.last');
}

// An initial with a surname of two letters would match every third word, so only the most frequent of these count.
const SURNAME_LETTERS_MIN = 3;
const SHORT_SURNAMES: ReadonlySet<string> = new Set('li wu xu hu ma he lu yu su ho ng le vo do'.split(' '));
// `smithj` is rare, and every second short word is a surname with a letter after it.
const BEFORE_INITIAL_LETTERS_MIN = 5;
// Two names in one word have this many letters together: `janlee` may be anything.
const TWO_NAMES_LETTERS_MIN = 8;

function oneWord(word: string): NameShape {
	if (isFirst(word)) return { pattern: 'first', knownNames: 1 };
	if (isLast(word)) return { pattern: 'last', knownNames: 1 };
	const withInitial = word.length > SURNAME_LETTERS_MIN;
	const short = word.length === SURNAME_LETTERS_MIN && SHORT_SURNAMES.has(word.slice(1));
	if (short || (withInitial && isLast(word.slice(1)))) return { pattern: 'flast', knownNames: 1 };
	const isLong = word.length >= TWO_NAMES_LETTERS_MIN;
	if (isLong && cutsOf(word).some(([before, after]) => isFirst(before) && isLast(after)))
		return { pattern: 'firstlast', knownNames: 2 };
	if (word.length > BEFORE_INITIAL_LETTERS_MIN && isLast(word.slice(0, -1)))
		return { pattern: 'lastf', knownNames: 1 };
	return { pattern: 'other', knownNames: 0 };
}

/** All ways to cut a word in two parts of at least three letters each. */
export function cutsOf(word: string): [string, string][] {
	const cuts: [string, string][] = [];
	for (let at = SURNAME_LETTERS_MIN; at <= word.length - SURNAME_LETTERS_MIN; at++) {
		cuts.push([word.slice(0, at), word.slice(at)]);
	}
	return cuts;
}

function isInitial(word: string): boolean {
	return word.length === 1;
}

export function isFirst(word: string): boolean {
	const kind = findName(word);
	return kind === 'first' || kind === 'both';
}

export function isLast(word: string): boolean {
	const kind = findName(word);
	return kind === 'last' || kind === 'both';
}

// A hyphen joins names: jean-pierre, garcia-lopez.
function isKnown(word: string): boolean {
	return !isInitial(word) && word.split('-').every((name) => findName(name) !== null);
}
