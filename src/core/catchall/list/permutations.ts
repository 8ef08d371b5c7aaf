import { cutsOf, isFirst, isInitial, isLast, nameText } from '../mailbox/shape.ts';
import { LIST_WEIGHTS } from './weights.ts';

// In `jsmith` the surname has at least three letters; with fewer, strangers would share a set.
const SURNAME_LETTERS_MIN = 3;

/**
 * Finds where a list has several ways to write one name: `john.smith`, `jsmith`, `smith_john`, as tools make them that
 * guess addresses.
 * @param mailboxes Names without plus tag, in lower case, of people at one domain.
 * @returns For each mailbox of a set of three or more, the size of the set. Time grows with the number of mailboxes.
 */
export function findPermutationSets(mailboxes: Iterable<string>): Map<string, number> {
	// John.Smith and John.Smith2 are two people and one way to write the name.
	const writings = new Map<string, string[]>();
	for (const mailbox of mailboxes) {
		const text = nameText(mailbox);
		writings.set(text, [...(writings.get(text) ?? []), mailbox]);
	}
	const sets = setsOf([...writings.keys()]);
	const sizes = new Map<string, number>();
	for (const set of sets) {
		if (set.size < LIST_WEIGHTS.permutationsMin) continue;
		for (const text of set) {
			for (const mailbox of writings.get(text) ?? []) {
				sizes.set(mailbox, Math.max(set.size, sizes.get(mailbox) ?? 0));
			}
		}
	}
	return sizes;
}

function setsOf(texts: readonly string[]): Iterable<ReadonlySet<string>> {
	const sets = new Map<string, Set<string>>();
	const join = (key: string, text: string): void => {
		const set = sets.get(key);
		if (set === undefined) sets.set(key, new Set([text]));
		else set.add(text);
	};
	const pairs = new Pairs();
	const words: string[] = [];
	const initials: [string, string][] = [];
	for (const text of texts) {
		const [before, after, third] = text.split(/[._-]/);
		if (before === undefined || before === '' || after === '' || third !== undefined) continue;
		if (after === undefined) words.push(text);
		else if (isInitial(before) !== isInitial(after)) initials.push([initialKey(before, after), text]);
		else if (!isInitial(before)) join(pairs.add(before, after), text);
	}
	// Two names in one word: those that also stand apart come first, the dictionary is asked about the rest.
	for (const word of words) {
		const cut = pairs.joined.has(word) ? undefined : cutsOf(word).find(([a, b]) => isFirst(a) && isLast(b));
		const key = cut === undefined ? pairs.joined.get(word) : pairKey(...cut);
		if (key !== undefined && key !== null) join(key, word);
		if (cut !== undefined) pairs.cut.push(cut);
	}
	for (const cut of pairs.cut) pairs.add(...cut);
	for (const word of words) {
		const only = pairs.named.get(word);
		if (only !== undefined && only !== null) join(only, word);
		if (word.length <= SURNAME_LETTERS_MIN) continue;
		initials.push([`${word.charAt(0)} ${word.slice(1)}`, word]);
		initials.push([`${word.slice(-1)} ${word.slice(0, -1)}`, word]);
	}
	for (const [key, text] of initials) join(pairs.initialled.get(key) ?? key, text);
	return sets.values();
}

/** The pairs of names of a domain, and how else each could be written. What two pairs share leads to none (null). */
class Pairs {
	readonly joined = new Map<string, string | null>();
	readonly initialled = new Map<string, string | null>();
	readonly named = new Map<string, string | null>();
	/** Pairs that were found in one word. */
	readonly cut: [string, string][] = [];

	add(before: string, after: string): string {
		const key = pairKey(before, after);
		for (const [one, other] of [
			[before, after],
			[after, before],
		] as const) {
			point(this.joined, one + other, key);
			point(this.initialled, `${one.charAt(0)} ${other}`, key);
			point(this.named, one, key);
		}
		return key;
	}
}

function point(index: Map<string, string | null>, writing: string, key: string): void {
	const known = index.get(writing);
	index.set(writing, known === undefined || known === key ? key : null);
}

function pairKey(one: string, other: string): string {
	return one < other ? `${one}+${other}` : `${other}+${one}`;
}

function initialKey(before: string, after: string): string {
	return isInitial(before) ? `${before} ${after}` : `${after} ${before}`;
}
