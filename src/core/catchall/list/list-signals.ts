import { mailboxName } from '../../lists/domain-kinds.ts';
import type { Signal } from '../scorecard.ts';
import { isPersonType } from '../mailbox/mailbox-signals.ts';
import { nameShape } from '../mailbox/shape.ts';
import type { NamePattern } from '../mailbox/shape.ts';
import { splitAddress } from './list-facts.ts';
import type { DomainFacts, ListFacts } from './list-facts.ts';
import { LIST_WEIGHTS, PATTERN_PRIORS } from './weights.ts';
import { limitLabel } from '../breakdown.ts';
import type { Breakdown } from '../breakdown.ts';
import { SECTIONS } from '../scorecard.ts';
import type { SectionName } from '../scorecard.ts';

/**
 * The signals that its list gives about an address, in groups `pattern` and `list_quality`; points have two decimals at
 * most. Facts that rest on too few addresses give no signal.
 * @param email An address of the list on a catch-all domain that was not refused: it is not counted as its own peer.
 */
export function listSignals(email: string, { results, domains }: ListFacts): Signal[] {
	const [localPart, domain] = splitAddress(email);
	const facts = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
	const found = [qualitySignal(results)];
	if (facts !== undefined && isPersonType(localPart, { domain })) {
		found.push(patternSignal(nameShape(localPart).pattern, facts));
		found.push(permutationSignal(mailboxName(localPart), facts));
	}
	return found.filter((signal) => signal !== null);
}

function patternSignal(pattern: NamePattern, { patterns }: DomainFacts): Signal | null {
	const peers = Object.values(patterns).reduce((sum, count) => sum + count, 0) - 1;
	if (peers < LIST_WEIGHTS.patternPeersMin) return null;
	const same = Math.max(0, (patterns[pattern] ?? 0) - 1);
	const prior = PATTERN_PRIORS[pattern];
	const strength = LIST_WEIGHTS.patternPriorStrength;
	const posterior = (same + strength * prior) / (peers + strength);
	const points = clamp(
		10 * Math.log2(posterior / prior),
		LIST_WEIGHTS.patternLeast,
		LIST_WEIGHTS.patternMost,
	);
	const written = pattern === 'other' ? 'in none of the usual ways either' : `as ${pattern} too`;
	return {
		group: 'pattern',
		label: `domain_pattern:${points > 0 ? 'fits' : points < 0 ? 'differs' : 'neutral'}`,
		points,
		text: `In the list, ${same} of ${peers} other addresses of this domain are written ${written}.`,
	};
}

function permutationSignal(mailbox: string, { permutations }: DomainFacts): Signal | null {
	const size = Object.hasOwn(permutations, mailbox) ? permutations[mailbox] : undefined;
	if (size === undefined) return null;
	return {
		group: 'pattern',
		label: `permutation_set:${size}`,
		points: clamp(LIST_WEIGHTS.permutationDoubling * Math.log2(size), LIST_WEIGHTS.permutationLeast, 0),
		text: `The list has ${size} ways to write this name at this domain; at most one of them is likely to be right.`,
	};
}

function qualitySignal({ good, bad }: ListFacts['results']): Signal | null {
	const total = good + bad;
	if (total < LIST_WEIGHTS.qualityResultsMin) return null;
	const { qualityUsual, qualityPriorResults, qualityLeast, qualityMost } = LIST_WEIGHTS;
	const share = (good + qualityUsual * qualityPriorResults) / (total + qualityPriorResults);
	const points = clamp(10 * (log2Odds(share) - log2Odds(qualityUsual)), qualityLeast, qualityMost);
	return {
		group: 'list_quality',
		label: `list_quality:${points > 0 ? 'good' : points < 0 ? 'poor' : 'usual'}`,
		points,
		text: `Of ${total} addresses of the list that mail servers could decide, ${Math.round((100 * good) / total)} % exist.`,
	};
}

function log2Odds(share: number): number {
	return Math.log2(share / (1 - share));
}

/** Rounded to two decimals; never -0. */
function clamp(points: number, least: number, most: number): number {
	return Math.round(Math.min(most, Math.max(least, points)) * 100) / 100 + 0;
}

// The labels of the signals that compare an address with the others of its list: `listSignals` makes them.
const OF_THE_LIST = /^(?:domain_pattern|permutation_set|list_quality):/;

/**
 * By how many points the other addresses of its list changed the score of an address: their signals' effects, with the
 * limit of their section, and never with another sign.
 */
export function listEffectOf(breakdown: Pick<Breakdown, SectionName | 'explanations'>): number {
	const effects = new Map(breakdown.explanations.map(({ signal, effect }) => [signal, effect]));
	return SECTIONS.reduce((sum, section) => {
		const effect = breakdown[section].signals
			.filter((signal) => OF_THE_LIST.test(signal))
			.reduce((all, signal) => all + (effects.get(signal) ?? 0), 0);
		const limited = effect + (effects.get(limitLabel(section)) ?? 0);
		return sum + (effect > 0 ? Math.max(0, limited) : effect < 0 ? Math.min(0, limited) : 0);
	}, 0);
}
