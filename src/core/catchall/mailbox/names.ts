import { NAMES } from './data/names.ts';

/** Whether a word is known as a first name, a last name, or both (Martin, Jordan). */
export interface KnownName {
	readonly first: boolean;
	readonly last: boolean;
}

const KINDS: readonly KnownName[] = [
	{ first: true, last: false },
	{ first: false, last: true },
	{ first: true, last: true },
];

// Parsed lazily, by first letter: parsing all at once would add 30 ms to a cold start.
const lines = new Map(
	NAMES.trim()
		.split('\n')
		.map((line) => [line.charAt(1), line]),
);
const dictionary = new Map<string, ReadonlyMap<string, KnownName>>();

/**
 * The dictionary's entry for a folded word, or null. A missing name proves nothing: the dictionary covers some seventy
 * locales, and there are more.
 */
export function findName(word: string): KnownName | null {
	const letter = word.charAt(0);
	let names = dictionary.get(letter);
	if (names === undefined) dictionary.set(letter, (names = readNames(lines.get(letter) ?? '')));
	return names.get(word) ?? null;
}

const SMALL_A = 97;

// tools/build-trigrams.ts writes this format and describes it.
function readNames(line: string): Map<string, KnownName> {
	const names = new Map<string, KnownName>();
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
