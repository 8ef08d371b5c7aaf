import { mailboxName } from '../../lists/domain-kinds.ts';
import { isPersonType } from '../mailbox/mailbox.ts';
import { nameText } from '../mailbox/fold.ts';
import { nameShape } from '../mailbox/shape.ts';
import type { NamePattern } from '../mailbox/shape.ts';
import { finding } from '../table.ts';
import type { Finding } from '../table.ts';
import { findPermutationSets } from './permutations.ts';

/** One row of a finished job. */
export interface ListedAddress {
	readonly email: string;
	readonly status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
	/** Whether its domain accepts every recipient. */
	readonly catchAll: boolean;
}

type Patterns = { readonly [pattern in NamePattern]?: number };

/** A list's facts about a catch-all domain, from addresses of people there that were not refused. */
export interface DomainFacts {
	/** Distinct addresses with a known name, by pattern: invented strings say nothing of their neighbours. */
	readonly patterns: Patterns;
	/** By mailbox: in how many ways the list spells this person's name, where another way is much more likely. */
	readonly permutations: Readonly<Record<string, number>>;
}

/** Facts about the addresses of a whole list: plain JSON, without facts that cannot give a finding. */
export interface ListFacts {
	readonly domains: Readonly<Record<string, DomainFacts>>;
}

/** The prior of each pattern, for a company that we know nothing about: shares that add up to 1. */
const PATTERN_PRIORS: Readonly<Record<NamePattern, number>> = {
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
/** The prior weighs as much as this many addresses of the domain. */
const PRIOR_STRENGTH = 4;
/** How many other addresses of the domain are needed before its pattern counts. */
const PEERS_MIN = 3;
/** By this many times (here as the tenth of a doubling) the pattern is more or less frequent than elsewhere. */
const TENTHS_MIN = 5;
/** At most one of several spellings of a name is right: one with a smaller chance than this lost. */
const CHANCE_OF_LOSER = 0.2;

/** Reads a list once. Row order, repeated rows and letter case do not matter. */
export function planListFacts(addresses: Iterable<ListedAddress>): ListFacts {
	const domains = new Map<string, { catchAll: boolean; refused: Map<string, boolean> }>();
	for (const { email, status, catchAll } of addresses) {
		const [localPart, domain] = splitAddress(email);
		let listed = domains.get(domain);
		if (listed === undefined) domains.set(domain, (listed = { catchAll, refused: new Map() }));
		listed.catchAll ||= catchAll;
		const mailbox = mailboxName(localPart);
		listed.refused.set(mailbox, status === 'undeliverable' && listed.refused.get(mailbox) !== false);
	}
	const facts = [...domains].flatMap(([domain, { catchAll, refused }]): [string, DomainFacts][] => {
		const found = catchAll ? domainFacts(domain, refused) : null;
		return found === null ? [] : [[domain, found]];
	});
	// fromEntries, because a domain or a mailbox may be called __proto__.
	return { domains: Object.fromEntries(facts) };
}

/** Local part as written, domain in lower case; both empty where there is no `@`. */
function splitAddress(email: string): [localPart: string, domain: string] {
	const at = email.lastIndexOf('@');
	return at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1).toLowerCase()];
}

function domainFacts(domain: string, refused: ReadonlyMap<string, boolean>): DomainFacts | null {
	// A refused address is a wrong guess: it says nothing about the domain's other mailboxes.
	const people = [...refused].filter(([mailbox, isRefused]) => !isRefused && isPersonType(mailbox, domain));
	const mailboxes = people.map(([mailbox]) => mailbox);
	const sets = findPermutationSets(mailboxes);
	const guessed = new Set(sets.flat());
	const colleagues = patternsOf(mailboxes.filter((mailbox) => !guessed.has(nameText(mailbox))));
	const losers = new Map(sets.flatMap((set) => losersOf(set, colleagues)));
	const patterns = patternsOf(mailboxes.filter((mailbox) => !losers.has(nameText(mailbox))));
	const permutations = mailboxes.flatMap((mailbox): [string, number][] => {
		const size = losers.get(nameText(mailbox));
		return size === undefined ? [] : [[mailbox, size]];
	});
	if (count(patterns) < PEERS_MIN && permutations.length === 0) return null;
	return { patterns, permutations: Object.fromEntries(permutations) };
}

function patternsOf(mailboxes: readonly string[]): Patterns {
	const patterns: { [pattern in NamePattern]?: number } = {};
	for (const mailbox of mailboxes) {
		const { pattern, knownNames } = nameShape(mailbox);
		if (knownNames > 0 && pattern !== 'other') patterns[pattern] = (patterns[pattern] ?? 0) + 1;
	}
	return patterns;
}

/** The spellings of a set to which the others leave hardly a chance, with the size of the set. */
function losersOf(set: readonly string[], colleagues: Patterns): readonly [text: string, size: number][] {
	const peers = count(colleagues);
	const chances = set.map((text) => posteriorOf(nameShape(text).pattern, colleagues, peers));
	const all = chances.reduce((sum, chance) => sum + chance, 0);
	return set
		.filter((_, at) => (chances[at] ?? 0) < CHANCE_OF_LOSER * all)
		.map((text): [string, number] => [text, set.length]);
}

function count(patterns: Patterns): number {
	return Object.values(patterns).reduce((sum, one) => sum + one, 0);
}

/** The share of the pattern among the domain's people, as far as these peers show it. */
function posteriorOf(pattern: NamePattern, patterns: Patterns, peers: number): number {
	return shareOf(patterns[pattern] ?? 0, peers, PATTERN_PRIORS[pattern]);
}

function shareOf(same: number, peers: number, prior: number): number {
	return (same + PRIOR_STRENGTH * prior) / (peers + PRIOR_STRENGTH);
}

/**
 * The findings of its list about an address. Facts that rest on too few addresses give no finding.
 * @param email An address of the list on a catch-all domain that was not refused: it is not counted as its own peer.
 */
export function listFindings(email: string, { domains }: ListFacts): readonly Finding[] {
	const [localPart, domain] = splitAddress(email);
	const facts = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
	if (facts === undefined || !isPersonType(localPart, domain)) return [];
	const mailbox = mailboxName(localPart);
	const size = Object.hasOwn(facts.permutations, mailbox) ? facts.permutations[mailbox] : undefined;
	if (size !== undefined) {
		const text = `The list has ${size} ways to write this name at this domain; another one is much more likely to be right.`;
		const row = size < CONDEMNING_SPELLINGS ? 'permutation_set:small' : 'permutation_set';
		return [finding(row, text, `permutation_set:${size}`)];
	}
	return patternFindings(localPart, facts.patterns);
}

function patternFindings(localPart: string, listed: Patterns): readonly Finding[] {
	const { pattern, knownNames } = nameShape(localPart);
	// Strings without a pattern have nothing in common. A list planned by an earlier version counted them, too.
	const { other: _, ...patterns } = listed;
	const counted = pattern === 'other' || knownNames === 0 ? 0 : 1;
	const peers = count(patterns) - counted;
	if (peers < PEERS_MIN) return [];
	if (pattern === 'other') {
		const text = `In the list, ${peers} other addresses of this domain are written in a usual way, and this one is not.`;
		return [finding('domain_pattern:differs', text)];
	}
	const same = Math.max(0, (patterns[pattern] ?? 0) - counted);
	const prior = PATTERN_PRIORS[pattern];
	const tenths = 10 * Math.log2(shareOf(same, peers, prior) / prior);
	const isShared = same >= PEERS_MIN && tenths >= TENTHS_MIN;
	const kind = isShared ? 'fits' : tenths <= -TENTHS_MIN ? 'differs' : 'neutral';
	const text = `In the list, ${same} of ${peers} other addresses of this domain are written as ${pattern} too.`;
	return [finding(`domain_pattern:${kind}`, text)];
}

// jane.smith, jsmith and jane may be three people, or three names of one mailbox. Five spellings of one name are a guess.
const CONDEMNING_SPELLINGS = 5;
