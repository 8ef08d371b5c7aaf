// Writes src/core/catchall/mailbox/data/*.ts from the names of @faker-js/faker: `npm run update -- trigrams`, then read
// the diff. The package is a development dependency, pinned by the lock file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allLocales } from '@faker-js/faker';
import { foldLatin } from '../src/core/catchall/mailbox/letters.ts';
import { ROLE_NAMES } from '../src/core/lists/data/role-names.ts';
import { writeDataModule } from './data-module.ts';

/** Folded names of a-z, 2 letters or more. Some are in both sets. */
export interface Names {
	readonly first: Set<string>;
	readonly last: Set<string>;
}

// In German and the Nordic languages these letters are often spelt out: mueller, soerensen, aase.
const SPELLED_OUT = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' } as const;
const SPELLS_OUT = /^(?:de|da|nb|sv|fi)/;

/** All names of all locales that use Latin letters; compound ones count as their parts. */
export function collectNames(): Names {
	const [first, last] = [new Set<string>(), new Set<string>()];
	for (const [locale, { person }] of Object.entries(allLocales)) {
		for (const [names, definition] of [
			[first, person?.first_name],
			[first, person?.middle_name],
			[last, person?.last_name],
		] as const) {
			for (const name of stringsOf(definition)) {
				for (const part of partsOf(name, SPELLS_OUT.test(locale))) names.add(part);
			}
		}
	}
	return { first, last };
}

const WORLD = join(import.meta.dirname, 'names/world.txt');

/** The names of a kind in `tools/names/world.txt`: those that the package lacks, or has in another script. */
function worldNames(kind: 'first' | 'last' | 'model'): string[] {
	const lines = readFileSync(WORLD, 'utf8').split('\n');
	return lines.filter((line) => line.startsWith(`${kind} `)).flatMap((line) => line.split(' ').slice(1));
}

/** All names that the dictionary is made of. */
export function dictionaryNames(): Names {
	const names = collectNames();
	for (const kind of ['first', 'last'] as const) for (const name of worldNames(kind)) names[kind].add(name);
	return names;
}

// Hanyu Pinyin: initials of syllables, and the finals that go with them.
const PINYIN = [
	['b p m f', 'a ai an ang ao ei en eng i ian iao ie in ing o ou u'],
	['d t n l', 'a ai an ang ao e ei eng i ian iao ie iu ing ong ou u uan ui un uo v'],
	['g k h', 'a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo'],
	['j q x', 'i ia ian iang iao ie in ing iong iu u uan ue un'],
	['zh ch sh r z c s', 'a ai an ang ao e ei en eng i ong ou u uan ui un uo'],
	['y', 'a an ang ao e i in ing ong ou u uan ue un'],
	['w', 'a ai an ang ei en eng o u'],
] as const;
// A given name is mostly two syllables in one word. Pairing each syllable with a few others suffices for training.
const PINYIN_PARTNERS = [17, 61, 131];

/** Words in addition to the package's names: those of role mailboxes, and names of languages that it lacks. */
export function otherWords(): Set<string> {
	const words = [...foldLatin(ROLE_NAMES).split(/[\s._-]+/), ...worldNames('model')];
	const syllables = PINYIN.flatMap(([initials, finals]) =>
		initials.split(' ').flatMap((initial) => finals.split(' ').map((final) => initial + final)),
	);
	const givenNames = syllables.flatMap((syllable, at) =>
		PINYIN_PARTNERS.map((steps) => syllable + (syllables[(at + steps) % syllables.length] ?? '')),
	);
	return new Set([...words, ...syllables, ...givenNames].filter((word) => /^[a-z]{2,}$/.test(word)));
}

/** All strings of a definition: a list, lists by sex, or weighted names. */
function* stringsOf(definition: unknown): Generator<string> {
	if (typeof definition === 'string') yield definition;
	// A list of names, a list of weighted names ({ value, weight }), or one list for each sex.
	else if (typeof definition === 'object')
		for (const entry of Object.values(definition ?? {})) yield* stringsOf(entry);
}

function partsOf(name: string, spelledOut: boolean): string[] {
	const spelled = name
		.toLowerCase()
		.replaceAll(/[äöüøå]/g, (letter) => SPELLED_OUT[letter as keyof typeof SPELLED_OUT]);
	return (spelledOut ? [name, spelled] : [name])
		.flatMap((spelling) => foldLatin(spelling).split(/[\s.-]+/))
		.filter((part) => /^[a-z]{2,}$/.test(part));
}

const LETTERS = 27; // The word boundary, then a-z.
const BORDER = 0;
const DICTIONARY_LETTERS_MAX = 12;

/**
 * The model in the form that src/core/catchall/mailbox/letters.ts reads. Probabilities of trigrams are mixed with
 * those of bigrams and letters by the number of different letters that followed (Witten and Bell, 1991).
 */
export function trainTrigrams(words: Iterable<string>): string {
	const orders = [1, 2, 3].map((length) => new Float64Array(LETTERS ** length));
	for (const word of words) {
		let context = BORDER;
		for (let at = 0; at <= word.length; at++) {
			const letter = at < word.length ? word.charCodeAt(at) - 96 : BORDER;
			const three = context * LETTERS + letter;
			for (const counts of orders) counts[three % counts.length]! += 1;
			context = three % LETTERS ** 2;
		}
	}
	// Each order falls back on the one before; the first, on all letters being equally likely.
	let probabilities: Float64Array = new Float64Array(1).fill(1 / LETTERS);
	for (const counts of orders) probabilities = mix(counts, probabilities);
	const signs = [...probabilities].map(quantise).join('');
	return Array.from({ length: LETTERS }, (_, first) =>
		signs.slice(first * LETTERS ** 2, (first + 1) * LETTERS ** 2),
	).join('\n');
}

function mix(counts: Float64Array, shorter: Float64Array): Float64Array {
	return counts.map((count, at) => {
		const row = counts.subarray(at - (at % LETTERS), at - (at % LETTERS) + LETTERS);
		const seen = row.reduce((sum, value) => sum + value, 0);
		const kinds = row.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0);
		const fallback = shorter[at % shorter.length]!;
		return seen === 0 ? fallback : (count + kinds * fallback) / (seen + kinds);
	});
}

/** The negative log2 in quarter bits, as a character from `(` on; 12.75 bits at most. */
function quantise(probability: number): string {
	return String.fromCharCode(40 + Math.min(51, Math.round(-4 * Math.log2(probability))));
}

/**
 * Sorted names, a line for each first letter. Each name is encoded by its difference from the one before: a character
 * from `(` on for the number of shared letters (0-15) plus the kind (0 first, 16 last, 32 both), then the other
 * letters.
 */
function encodeNames({ first, last }: Names): { text: string; count: number } {
	const names = [...new Set([...first, ...last])]
		.filter((name) => name.length <= DICTIONARY_LETTERS_MAX)
		.toSorted((a, b) => (a < b ? -1 : 1));
	const lines = Object.values(Object.groupBy(names, (name) => name.charAt(0))).map((line = []) =>
		line.map((name, at) => {
			const before = line[at - 1] ?? '';
			let shared = 0;
			while (shared < before.length && before[shared] === name[shared]) shared++;
			const kind = first.has(name) ? (last.has(name) ? 32 : 0) : 16;
			return String.fromCharCode(40 + kind + shared) + name.slice(shared);
		}),
	);
	return { text: lines.map((line) => line.join('')).join('\n'), count: names.length };
}

if (import.meta.main) {
	const FAKER = 'node_modules/@faker-js/faker';
	const HOLDERS =
		'Copyright 2022-2025 Faker contributors, 2011-2020 Marak Squires and contributors. Names of all locales that use Latin letters.';
	const names = collectNames();
	const words = new Set([...names.first, ...names.last, ...otherWords()]);
	writeDataModule('catchall/mailbox/data/trigrams.ts', 'TRIGRAMS', FAKER, {
		text: trainTrigrams(words),
		notes: [
			HOLDERS,
			`Trained on ${words.size} words: these names, role words, and some Welsh, Irish, Finnish, Japanese and Chinese names. A line for each first letter of three.`,
		],
	});
	const ofTheWorld = dictionaryNames();
	const { text, count } = encodeNames(ofTheWorld);
	writeDataModule('catchall/mailbox/data/names.ts', 'NAMES', FAKER, {
		text,
		alsoFrom: ', and tools/names/world.txt from PyPI Faker 40.54.0',
		notes: [
			HOLDERS,
			'PyPI Faker: copyright 2012 Daniele Faraglia.',
			`${count} names of 2 to ${DICTIONARY_LETTERS_MAX} letters: ${ofTheWorld.first.size} first, ${ofTheWorld.last.size} last before the cut.`,
		],
	});
}
