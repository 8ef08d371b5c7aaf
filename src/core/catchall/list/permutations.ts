import { nameText } from '../mailbox/fold.ts';
import { cutsOf, isFirst, isInitial, isLast } from '../mailbox/shape.ts';

// In `jsmith` the surname has at least three letters; with fewer, unrelated people would share a set.
const SURNAME_LETTERS_MIN = 3;

// Two people may well be called John Smith; three spellings of one name come from a tool that guesses.
const SPELLINGS_MIN = 3;

/**
 * Finds where a list spells one name in several ways (`john.smith`, `jsmith`, `smith_john`), as tools do that guess
 * addresses. Time and memory are linear in the number of mailboxes.
 * @param mailboxes Names without plus tag, in lower case, of people at one domain.
 * @returns The sets of three or more, as `nameText` writes the names; a name is in the largest of its sets alone.
 */
export function findPermutationSets(mailboxes: readonly string[]): readonly (readonly string[])[] {
	// John.Smith and John.Smith2 are two people, but one spelling.
	const texts = new Set(mailboxes.map(nameText).toSorted());
	const taken = new Set<string>();
	return [...setsOf(texts)]
		.filter(({ size }) => size >= SPELLINGS_MIN)
		.toSorted((a, b) => b.size - a.size)
		.map((set) => {
			const free = [...set].filter((text) => !taken.has(text));
			for (const text of free) taken.add(text);
			return free;
		})
		.filter(({ length }) => length >= SPELLINGS_MIN);
}

function setsOf(texts: ReadonlySet<string>): Iterable<ReadonlySet<string>> {
	const { pairs, words, initials } = sortOut(texts);
	const sets = new Sets();
	const index = new PairIndex(words, new Set(initials.map(([key]) => key)));
	for (const [before, after, text] of pairs) sets.join(index.add(before, after), text);
	// Two names in one word: first those that the list also has separated, then those of the dictionary.
	const cut: [string, string][] = [];
	for (const word of words) {
		const apart = index.joined.get(word);
		if (apart !== undefined) sets.join(apart, word);
		else
			cut.push(
				...cutsOf(word)
					.filter(([a, b]) => isFirst(a) && isLast(b))
					.slice(0, 1),
			);
	}
	for (const [before, after] of cut) sets.join(index.add(before, after), before + after);
	for (const word of words) sets.join(index.named.get(word), word);
	for (const [key, text] of initials) sets.join(index.initialled.get(key) ?? key, text);
	return sets.several();
}

interface Sorted {
	readonly pairs: [before: string, after: string, text: string][];
	readonly words: Set<string>;
	/** `j smith`, and where it comes from: `jsmith`, `smithj`, `j.smith`, `smith.j`. */
	readonly initials: [key: string, text: string][];
}

function sortOut(texts: ReadonlySet<string>): Sorted {
	const sorted: Sorted = { pairs: [], words: new Set(), initials: [] };
	for (const text of texts) {
		const [before, after, third] = text.split(/[._-]/);
		if (before === undefined || before === '' || after === '' || third !== undefined) continue;
		if (after === undefined) {
			sorted.words.add(text);
			if (text.length <= SURNAME_LETTERS_MIN) continue;
			sorted.initials.push([`${text.charAt(0)} ${text.slice(1)}`, text]);
			sorted.initials.push([`${text.slice(-1)} ${text.slice(0, -1)}`, text]);
		} else if (!isInitial(before) && !isInitial(after)) {
			sorted.pairs.push([before, after, text]);
		} else if (!isInitial(before) || !isInitial(after)) {
			sorted.initials.push([isInitial(before) ? `${before} ${after}` : `${after} ${before}`, text]);
		}
	}
	return sorted;
}

/** Sets by key. Most only ever have one member, which is stored without a Set. */
class Sets {
	readonly #byKey = new Map<string, string | Set<string>>();

	join(key: string | null | undefined, text: string): void {
		if (key === null || key === undefined) return;
		const members = this.#byKey.get(key);
		if (members === undefined) this.#byKey.set(key, text);
		else if (typeof members !== 'string') members.add(text);
		else if (members !== text) this.#byKey.set(key, new Set([members, text]));
	}

	*several(): Generator<ReadonlySet<string>> {
		for (const members of this.#byKey.values()) if (typeof members !== 'string') yield members;
	}
}

/** The pair of names behind each joined or abbreviated spelling; null for a spelling that two pairs share. */
class PairIndex {
	readonly joined = new Map<string, string | null>();
	readonly named = new Map<string, string | null>();
	readonly initialled = new Map<string, string | null>();
	readonly #words: ReadonlySet<string>;
	readonly #initials: ReadonlySet<string>;

	constructor(words: ReadonlySet<string>, initials: ReadonlySet<string>) {
		this.#words = words;
		this.#initials = initials;
	}

	/** Returns the key of the pair, the same in both orders. */
	add(before: string, after: string): string {
		const key = before < after ? `${before}+${after}` : `${after}+${before}`;
		for (const [one, other] of [
			[before, after],
			[after, before],
		] as const) {
			point(this.joined, this.#words, one + other, key);
			point(this.named, this.#words, one, key);
			point(this.initialled, this.#initials, `${one.charAt(0)} ${other}`, key);
		}
		return key;
	}
}

function point(
	index: Map<string, string | null>,
	wanted: ReadonlySet<string>,
	writing: string,
	key: string,
): void {
	if (!wanted.has(writing)) return;
	const known = index.get(writing);
	index.set(writing, known === undefined || known === key ? key : null);
}
