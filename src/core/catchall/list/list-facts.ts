import { mailboxName } from '../../lists/domain-kinds.ts';
import { isPersonType } from '../mailbox/mailbox-signals.ts';
import { nameShape } from '../mailbox/shape.ts';
import type { NamePattern } from '../mailbox/shape.ts';
import { findPermutationSets } from './permutations.ts';
import { LIST_WEIGHTS } from './weights.ts';

/** One row of a finished job. */
export interface ListedAddress {
	readonly email: string;
	readonly status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
	/** Whether its domain accepts every recipient. */
	readonly catchAll: boolean;
}

/** A list's facts about a catch-all domain, from addresses of people there that were not refused. */
export interface DomainFacts {
	/** Distinct addresses by pattern. */
	readonly patterns: { readonly [pattern in NamePattern]?: number };
	/** By mailbox: in how many ways the list spells this person's name; only from three up. */
	readonly permutations: Readonly<Record<string, number>>;
}

/** Facts about the addresses of a whole list: plain JSON, without facts that cannot give a signal. */
export interface ListFacts {
	/** Distinct addresses with a definite result, on domains that are not catch-alls. */
	readonly results: { readonly good: number; readonly bad: number };
	readonly domains: Readonly<Record<string, DomainFacts>>;
}

interface ListedDomain {
	catchAll: boolean;
	/** By mailbox: the sum (bits) of the `SAID` of its rows. */
	readonly mailboxes: Map<string, number>;
}

const SAID = { deliverable: 1, undeliverable: 2, risky: 4, unknown: 4 } as const;

/** Reads a list once. Row order, repeated rows and letter case do not matter. */
export function planListFacts(addresses: Iterable<ListedAddress>): ListFacts {
	const domains = new Map<string, ListedDomain>();
	for (const { email, status, catchAll } of addresses) {
		const [localPart, domain] = splitAddress(email);
		let listed = domains.get(domain);
		if (listed === undefined) domains.set(domain, (listed = { catchAll, mailboxes: new Map() }));
		listed.catchAll ||= catchAll;
		const mailbox = mailboxName(localPart);
		listed.mailboxes.set(mailbox, (listed.mailboxes.get(mailbox) ?? 0) | SAID[status]);
	}
	const results = { good: 0, bad: 0 };
	const facts: [string, DomainFacts][] = [];
	for (const [domain, { catchAll, mailboxes }] of domains) {
		if (catchAll) {
			const found = domainFacts(domain, mailboxes);
			if (found !== null) facts.push([domain, found]);
			continue;
		}
		for (const statuses of mailboxes.values()) {
			const definite = statuses & (SAID.deliverable | SAID.undeliverable);
			if (definite === SAID.deliverable) results.good += 1;
			if (definite === SAID.undeliverable) results.bad += 1;
		}
	}
	// fromEntries, because a domain or a mailbox may be called __proto__.
	return { results, domains: Object.fromEntries(facts) };
}

/** Local part as written, domain in lower case; both empty where there is no `@`. */
export function splitAddress(email: string): [localPart: string, domain: string] {
	const at = email.lastIndexOf('@');
	return at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1).toLowerCase()];
}

function domainFacts(domain: string, mailboxes: ReadonlyMap<string, number>): DomainFacts | null {
	// A refused address is a wrong guess: it says nothing about the domain's other mailboxes.
	const people = [...mailboxes]
		.filter(([mailbox, answer]) => answer !== SAID.undeliverable && isPersonType(mailbox, { domain }))
		.map(([mailbox]) => mailbox);
	const sizes = findPermutationSets(people);
	if (people.length <= LIST_WEIGHTS.patternPeersMin && sizes.size === 0) return null;
	const patterns: { [pattern in NamePattern]?: number } = {};
	for (const mailbox of people) {
		const { pattern } = nameShape(mailbox);
		patterns[pattern] = (patterns[pattern] ?? 0) + 1;
	}
	return { patterns, permutations: Object.fromEntries(sizes) };
}
