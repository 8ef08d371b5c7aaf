import { nameText } from './fold.ts';
import { findName } from './names.ts';

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
	if (cutsOf(word).some(isFirstAndLast)) {
		return { pattern: 'firstlast', knownNames: 2 };
	}
	if (word.length > BEFORE_INITIAL_LETTERS_MIN && isLast(word.slice(0, -1)))
		return { pattern: 'lastf', knownNames: 1 };
	return { pattern: 'other', knownNames: 0 };
}

function isFirstAndLast([before, after]: readonly [string, string]): boolean {
	return before.length + after.length >= TWO_NAMES_LETTERS_MIN && isFirst(before) && isLast(after);
}

/** All ways to cut a word in two parts of at least three letters each. */
export function cutsOf(word: string): [string, string][] {
	const cuts: [string, string][] = [];
	for (let at = SURNAME_LETTERS_MIN; at <= word.length - SURNAME_LETTERS_MIN; at++) {
		cuts.push([word.slice(0, at), word.slice(at)]);
	}
	return cuts;
}

export function isInitial(word: string): boolean {
	return word.length === 1;
}

export function isFirst(word: string): boolean {
	return findName(word)?.first === true;
}

export function isLast(word: string): boolean {
	return findName(word)?.last === true;
}

// A hyphen joins names: jean-pierre, garcia-lopez.
function isKnown(word: string): boolean {
	return !isInitial(word) && word.split('-').every((name) => findName(name) !== null);
}
