import type { NamePattern } from '../mailbox/shape.ts';

/** How often a company follows each pattern before anything is known of it: shares that add up to 1. */
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
	/** Other addresses of the domain before its pattern means anything. */
	patternPeersMin: 3,
	/** How many addresses of the domain the prior is worth. */
	patternPriorStrength: 4,
	/** At most one of m ways to write a name is right: points for each doubling of m. */
	permutationDoubling: -10,
	permutationLeast: -30,
	permutationsMin: 3,
	qualityLeast: -12,
	qualityMost: 8,
	/** Results that a mail server or the DNS decided, on domains that refuse unknown mailboxes. */
	qualityResultsMin: 50,
	/** The share of good addresses in a list that neither raises nor lowers a score, and the results it is worth. */
	qualityUsual: 0.72,
	qualityPriorResults: 25,
};
