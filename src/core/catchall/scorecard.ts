import type { CatchAllVerdict } from '../verification/result.ts';

/** +10 points double the odds that a message reaches a mailbox, -10 halve them (log-odds, base 2). */
export interface Signal {
	readonly group: SignalGroup;
	readonly name: string;
	readonly points: number;
}

// How much one kind of evidence may move the total, in points: [least, most]. All domain hygiene together is worth
// little, because a healthy domain says little about one mailbox; one strong negative outweighs it.
const GROUP_LIMITS = {
	route: [0, 20],
	smtp: [-20, 35],
	auth: [-10, 5],
	mx: [-10, 1],
	lists: [-45, 1],
	smtp_stack: [-6, 1],
	mailbox: [-40, 6],
} as const satisfies Record<string, readonly [number, number]>;
export type SignalGroup = keyof typeof GROUP_LIMITS;

// A healthy B2B list address on a catch-all domain reaches a mailbox about seven times in ten.
const BASE_POINTS = 12;
const TOTAL_POINTS_MAX = 56;

/** Score from 2 to 98 of an address on a domain that accepts every recipient, from all that could be measured. */
export function scoreSignals(signals: readonly Signal[]): number {
	let total = BASE_POINTS;
	for (const [group, [least, most]] of Object.entries(GROUP_LIMITS)) {
		const sum = signals
			.filter((signal) => signal.group === group)
			.reduce((all, { points }) => all + points, 0);
		total += Math.min(most, Math.max(least, sum));
	}
	const clamped = Math.min(TOTAL_POINTS_MAX, Math.max(-TOTAL_POINTS_MAX, total));
	return Math.round(100 / (1 + 2 ** (-clamped / 10)));
}

/** Where the verdicts begin; configuration. */
export interface VerdictThresholds {
	/** Scores from here on are `valid`. */
	readonly validFrom: number;
	/** Scores below are `invalid`; what lies between is `unknown`. */
	readonly invalidBelow: number;
}

// Below this share of the evidence nothing is claimed.
const COVERAGE_MIN = 0.6;

/**
 * The verdict on a score. Where too little was measured, or the server contradicted itself, nothing is claimed: the
 * verdict is `unknown` and the score is brought between the thresholds, so that the two never contradict each other.
 */
export function judgeScore(
	score: number,
	evidence: { readonly coverage: number; readonly consistent: boolean },
	{ validFrom, invalidBelow }: VerdictThresholds,
): { score: number; verdict: CatchAllVerdict } {
	if (evidence.coverage < COVERAGE_MIN || !evidence.consistent) {
		return { score: Math.min(validFrom - 1, Math.max(invalidBelow, score)), verdict: 'unknown' };
	}
	if (score >= validFrom) return { score, verdict: 'valid' };
	return { score, verdict: score < invalidBelow ? 'invalid' : 'unknown' };
}
