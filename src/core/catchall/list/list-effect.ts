import type { Breakdown } from '../breakdown.ts';

// The labels of the signals that compare an address with the others of its list: `listSignals` makes them.
const OF_THE_LIST = /^(?:domain_pattern|permutation_set|list_quality):/;

/** By how many points the other addresses of its list changed the score of an address. */
export function listEffectOf({ explanations }: Pick<Breakdown, 'explanations'>): number {
	return explanations
		.filter(({ signal }) => OF_THE_LIST.test(signal))
		.reduce((sum, { effect }) => sum + effect, 0);
}
