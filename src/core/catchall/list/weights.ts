import type { NamePattern } from '../mailbox/shape.ts';

/** The prior of each pattern, for a company that we know nothing about: shares that add up to 1. */
export const PATTERN_PRIORS: Record<NamePattern, number> = {
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

/** The numbers behind the signals that need the whole list; points as in a signal. */
export const LIST_WEIGHTS = {
	patternLeast: -15,
	patternMost: 10,
	/** How many other addresses of the domain are needed before its pattern counts. */
	patternPeersMin: 3,
	/** The prior weighs as much as this many addresses of the domain. */
	patternPriorStrength: 4,
	/** At most one of m spellings of a name is right: points for each doubling of m. */
	permutationDoubling: -10,
	permutationLeast: -30,
	permutationsMin: 3,
	qualityLeast: -12,
	qualityMost: 8,
	/** How many results decided by a mail server or the DNS, on domains that are not catch-alls, are needed. */
	qualityResultsMin: 50,
	/** The share of good addresses that is worth 0 points, and the number of results that this prior weighs. */
	qualityUsual: 0.72,
	qualityPriorResults: 25,
};
