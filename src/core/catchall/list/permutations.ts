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
	return [...membersOf(texts).values()]
		.filter(({ length }) => length >= SPELLINGS_MIN)
		.toSorted((a, b) => b.length - a.length)
		.map((members) => {
			const free = members.filter((text) => !taken.has(text));
			for (const text of free) taken.add(text);
			return free;
		})
		.filter(({ length }) => length >= SPELLINGS_MIN);
}

/** The names by what they have in common: two whole names, or else an initial and a surname. */
function membersOf(texts: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
	const members = new Map<string, string[]>();
	const join = (key: string, text: string): void => {
		const known = members.get(key);
		if (known === undefined) members.set(key, [text]);
		else known.push(text);
	};
	/** The pair of names behind each spelling of the list; null where two pairs share it. */
	const pairs = new Map<string, string | null>();
	const addPair = ([one, other]: readonly [string, string]): void => {
		const key = one < other ? `${one}+${other}` : `${other}+${one}`;
		for (const spelling of [...spellingsOf(one, other), ...spellingsOf(other, one)]) {
			if (!texts.has(spelling)) continue;
			const known = pairs.get(spelling);
			pairs.set(spelling, known === undefined || known === key ? key : null);
		}
	};
	for (const text of texts) {
		const [before = '', after = '', third] = text.split(SEPARATOR);
		if (third === undefined && before.length > 1 && after.length > 1) addPair([before, after]);
	}
	// Two names in one word: where the list does not have them separated, as the dictionary cuts them.
	const words = [...texts].filter((text) => !SEPARATOR.test(text) && !pairs.has(text));
	for (const word of words) {
		const cut = cutsOf(word).find(([a, b]) => isFirst(a) && isLast(b));
		if (cut !== undefined) addPair(cut);
	}
	for (const text of texts) {
		const pair = pairs.get(text) ?? null;
		if (pair !== null) join(pair, text);
		else for (const key of initialsOf(text)) join(key, text);
	}
	return members;
}

const SEPARATOR = /[._-]/;

function spellingsOf(one: string, other: string): readonly string[] {
	const initial = one.charAt(0);
	const signs = ['', '.', '_', '-'];
	return [
		one,
		...signs.flatMap((sign) => [one, initial].map((name) => name + sign + other)),
		...signs.map((sign) => other + sign + initial),
	];
}

/** `j smith` for `j.smith` and `smith.j`; for `jsmith` or `smithj` both ways to read it. */
function initialsOf(text: string): readonly string[] {
	const [before = '', after, third] = text.split(SEPARATOR);
	if (third !== undefined || after === '') return [];
	if (after !== undefined) {
		if (isInitial(before) === isInitial(after)) return [];
		return [isInitial(before) ? `${before} ${after}` : `${after} ${before}`];
	}
	if (text.length <= SURNAME_LETTERS_MIN) return [];
	return [`${text.charAt(0)} ${text.slice(1)}`, `${text.slice(-1)} ${text.slice(0, -1)}`];
}
