import { domainOf, localPartOf } from '../../address/parse-address.ts';
import { mailboxName } from '../../lists/domain-kinds.ts';
import { isPersonType } from '../mailbox/mailbox.ts';
import { nameText } from '../mailbox/fold.ts';
import { nameShape, PATTERN_SHARES } from '../mailbox/shape.ts';
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

type Patterns = Partial<Record<NamePattern, number>>;

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
		const domain = domainOf(email).toLowerCase();
		let listed = domains.get(domain);
		if (listed === undefined) domains.set(domain, (listed = { catchAll, refused: new Map() }));
		listed.catchAll ||= catchAll;
		const mailbox = mailboxName(localPartOf(email));
		listed.refused.set(mailbox, status === 'undeliverable' && listed.refused.get(mailbox) !== false);
	}
	const facts = [...domains].flatMap(([domain, { catchAll, refused }]): [string, DomainFacts][] => {
		const found = catchAll ? domainFacts(domain, refused) : null;
		return found === null ? [] : [[domain, found]];
	});
	// fromEntries, because a domain or a mailbox may be called __proto__.
	return { domains: Object.fromEntries(facts) };
}

function domainFacts(domain: string, refused: ReadonlyMap<string, boolean>): DomainFacts | null {
	// A refused address is a wrong guess: it says nothing about the domain's other mailboxes.
	const people = [...refused.keys()].filter(
		(name) => refused.get(name) === false && isPersonType(name, domain),
	);
	const sets = findPermutationSets(people);
	const guessed = new Set(sets.flat());
	const colleagues = patternsOf(people.filter((mailbox) => !guessed.has(nameText(mailbox))));
	const losers = new Map(sets.flatMap((set) => losersOf(set, colleagues)));
	const patterns = patternsOf(people.filter((mailbox) => !losers.has(nameText(mailbox))));
	const permutations = people.flatMap((mailbox): [string, number][] => {
		const size = losers.get(nameText(mailbox));
		return size === undefined ? [] : [[mailbox, size]];
	});
	if (count(patterns) < PEERS_MIN && permutations.length === 0) return null;
	return { patterns, permutations: Object.fromEntries(permutations) };
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
export function listFindings(email: string, { domains }: ListFacts): readonly Finding[] {
	const [localPart, domain] = [localPartOf(email), domainOf(email).toLowerCase()];
	const facts = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
	if (facts === undefined || !isPersonType(localPart, domain)) return [];
	const mailbox = mailboxName(localPart);
	const size = Object.hasOwn(facts.permutations, mailbox) ? facts.permutations[mailbox] : undefined;
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
	const tenths = 10 * Math.log2(shareOf(pattern, same, peers) / PATTERN_SHARES[pattern]);
	const isShared = same >= PEERS_MIN && tenths >= TENTHS_MIN;
	const kind = isShared ? 'fits' : tenths <= -TENTHS_MIN ? 'differs' : 'neutral';
	const found = `${same} of ${peers} other addresses of this domain are written as ${pattern} too`;
	return [finding(`domain_pattern:${kind}`, found)];
}

// jane.smith, jsmith and jane may be three people, or three names of one mailbox. Five spellings of one name are a guess.
const CONDEMNING_SPELLINGS = 5;
