import { domainOf, localPartOf } from '../../address/parse-address.ts';
import { nameText } from '../mailbox/letters.ts';
import { isPersonType } from '../mailbox/mailbox.ts';
import { cutsOf, isFirst, isLast, nameShape, PATTERN_SHARES } from '../mailbox/names.ts';
import type { NamePattern } from '../mailbox/names.ts';
import { finding } from '../table.ts';
import type { Finding } from '../table.ts';
import { mailboxName } from '../../lists/domain-kinds.ts';

/** One row of a finished job. */
export interface ListedAddress {
	readonly email: string;
	readonly status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
	/** Whether its domain accepts every recipient. */
	readonly catchAll: boolean;
}

type Patterns = Partial<Record<NamePattern, number>>;

/** A list's facts about a catch-all domain, from addresses of people there that were not refused. */
export interface DomainFacts {
	/** Distinct addresses with a known name, by pattern: invented strings say nothing of their neighbours. */
	readonly patterns: Patterns;
	/** By spelling (`nameText`): in how many ways the list writes this name, where another way is much more likely. */
	readonly permutations: Readonly<Record<string, number>>;
}

/** Facts about the addresses of a whole list: plain JSON, without facts that cannot give a finding. */
export interface SourceListFacts {
	readonly domains: Readonly<Record<string, DomainFacts>>;
}

/** The prior weighs as much as this many addresses of the domain. */
const PRIOR_STRENGTH = 4;
/** How many other addresses of the domain are needed before its pattern counts. */
const PEERS_MIN = 3;
// Two people may well be called John Smith; three spellings of one name come from a tool that guesses.
const SPELLINGS_MIN = 3;
/** By this many times the pattern is more or less frequent than elsewhere. */
const TIMES_MIN = Math.SQRT2;
/** At most one of several spellings of a name is right: one with a smaller chance than this lost. */
const CHANCE_OF_LOSER = 0.2;

/** Row order, repeated rows and letter case do not matter. */
export function planListFacts(addresses: readonly ListedAddress[]): SourceListFacts {
	const byDomain = Map.groupBy(addresses, ({ email }) => domainOf(email).toLowerCase());
	const facts = [...byDomain].flatMap(([domain, rows]): [string, DomainFacts][] => {
		// Most domains of a list: they can give no finding.
		if (rows.length < SPELLINGS_MIN || !rows.some(({ catchAll }) => catchAll)) return [];
		const found = domainFacts(rows);
		return found === null ? [] : [[domain, found]];
	});
	// fromEntries, because a domain or a mailbox may be called __proto__.
	return { domains: Object.fromEntries(facts) };
}

function domainFacts(rows: readonly ListedAddress[]): DomainFacts | null {
	// A refused address is a wrong guess: it says nothing about the domain's other mailboxes.
	const accepted = rows.filter(({ status }) => status !== 'undeliverable');
	const mailboxes = new Set(accepted.map(({ email }) => mailboxName(localPartOf(email))));
	const people = [...mailboxes].filter(isPersonType);
	const sets = findPermutationSets(people);
	const guessed = new Set(sets.flat());
	const colleagues = patternsOf(people.filter((mailbox) => !guessed.has(nameText(mailbox))));
	const losers = new Map(sets.flatMap((set) => losersOf(set, colleagues)));
	const patterns = patternsOf(people.filter((mailbox) => !losers.has(nameText(mailbox))));
	if (count(patterns) < PEERS_MIN && losers.size === 0) return null;
	return { patterns, permutations: Object.fromEntries(losers) };
}

function patternsOf(mailboxes: readonly string[]): Patterns {
	const patterns: Patterns = {};
	for (const mailbox of mailboxes) {
		const { pattern, knownNames } = nameShape(mailbox);
		if (knownNames > 0 && pattern !== 'other') patterns[pattern] = (patterns[pattern] ?? 0) + 1;
	}
	return patterns;
}

/** The spellings of a set to which the others leave hardly a chance, with the size of the set. */
function losersOf(set: readonly string[], colleagues: Patterns): readonly [text: string, size: number][] {
	const peers = count(colleagues);
	const chanceOf = (text: string): number => {
		const { pattern } = nameShape(text);
		return shareOf(pattern, colleagues[pattern] ?? 0, peers);
	};
	const all = set.reduce((sum, text) => sum + chanceOf(text), 0);
	return set.filter((text) => chanceOf(text) < CHANCE_OF_LOSER * all).map((text) => [text, set.length]);
}

function count(patterns: Patterns): number {
	return Object.values(patterns).reduce((sum, one) => sum + one, 0);
}

/** The share of the pattern among the domain's people, as far as these peers show it. */
function shareOf(pattern: NamePattern, same: number, peers: number): number {
	return (same + PRIOR_STRENGTH * PATTERN_SHARES[pattern]) / (peers + PRIOR_STRENGTH);
}

/**
 * The findings of its list about an address. Facts that rest on too few addresses give no finding.
 * @param email An address of the list on a catch-all domain that was not refused: it is not counted as its own peer.
 */
export function listFindings(email: string, { domains }: SourceListFacts): readonly Finding[] {
	const [localPart, domain] = [localPartOf(email), domainOf(email).toLowerCase()];
	const facts = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
	if (facts === undefined || !isPersonType(localPart)) return [];
	const text = nameText(localPart);
	const size = Object.hasOwn(facts.permutations, text) ? facts.permutations[text] : undefined;
	if (size !== undefined) {
		const row = size < CONDEMNING_SPELLINGS ? 'permutation_set:small' : 'permutation_set';
		return [finding(row, String(size), `permutation_set:${size}`)];
	}
	return patternFindings(localPart, facts.patterns);
}

function patternFindings(localPart: string, patterns: Patterns): readonly Finding[] {
	const { pattern, knownNames } = nameShape(localPart);
	const counted = pattern === 'other' || knownNames === 0 ? 0 : 1;
	const peers = count(patterns) - counted;
	if (peers < PEERS_MIN) return [];
	if (pattern === 'other') {
		const found = `${peers} other addresses of this domain are written in a usual way, and this one is not`;
		return [finding('domain_pattern:differs', found)];
	}
	const same = Math.max(0, (patterns[pattern] ?? 0) - counted);
	const times = shareOf(pattern, same, peers) / PATTERN_SHARES[pattern];
	const isShared = same >= PEERS_MIN && times >= TIMES_MIN;
	const kind = isShared ? 'fits' : times <= 1 / TIMES_MIN ? 'differs' : 'neutral';
	const found = `${same} of ${peers} other addresses of this domain are written as ${pattern} too`;
	return [finding(`domain_pattern:${kind}`, found)];
}

// jane.smith, jsmith and jane may be three people, or three names of one mailbox. Five spellings of one name are a guess.
const CONDEMNING_SPELLINGS = 5;

/**
 * Finds where a list spells one name in several ways (`john.smith`, `jsmith`, `smith_john`), as tools do that guess
 * addresses. Time and memory are linear in the number of mailboxes.
 * @param mailboxes Names without plus tag, in lower case, of people at one domain.
 * @returns The sets of three or more, as `nameText` writes the names.
 */
function findPermutationSets(mailboxes: readonly string[]): readonly (readonly string[])[] {
	// John.Smith and John.Smith2 are two people, but one spelling.
	const texts = new Set(mailboxes.map(nameText).toSorted());
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
	const sets = Map.groupBy([...pairs.keys()], (text) => pairs.get(text));
	sets.delete(null);
	return [...sets.values()].filter(({ length }) => length >= SPELLINGS_MIN);
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
