import { assert } from '../../lib/assert.ts';

/**
 * A function from a score's points to a probability. `identity`: the scorecard's own, ten points double the odds.
 * `platt`: the points are stretched and moved first. `isotonic`: straight lines between measured points, never
 * falling.
 */
export type Curve =
	| { readonly kind: 'identity' }
	| { readonly kind: 'platt'; readonly slope: number; readonly shift: number }
	| {
			readonly kind: 'isotonic';
			readonly knots: readonly (readonly [points: number, probability: number])[];
	  };

/** A version of the curve, fitted to outcomes of one scorecard. */
export interface Calibration {
	readonly scorecard: string;
	/** Counts from 1; null: nothing has been fitted. */
	readonly version: number | null;
	readonly curve: Curve;
}

const ESTIMATE = { least: 0.02, most: 0.98 };

export const IDENTITY: Curve = { kind: 'identity' };

/** The chance that a message reaches a mailbox, 0-1. It never falls when the points rise. */
export function probabilityAt(points: number, curve: Curve): number {
	switch (curve.kind) {
		case 'identity':
			return 1 / (1 + 2 ** (-points / 10));
		case 'platt':
			return asEstimate(1 / (1 + 2 ** (-(curve.slope * points + curve.shift) / 10)));
		case 'isotonic':
			return asEstimate(between(points, curve.knots));
	}
}

/** Throws for a curve that falls somewhere, or leaves the range of probabilities. */
export function assertCurve(curve: Curve): void {
	if (curve.kind === 'platt') assert(curve.slope > 0, 'more points never mean a lower chance');
	if (curve.kind !== 'isotonic') return;
	assert(curve.knots.length >= 2, 'a line has two ends');
	for (const [at, [points, probability]] of curve.knots.entries()) {
		assert(probability > 0 && probability < 1, 'a probability is between 0 and 1');
		const before = curve.knots[at - 1];
		if (before === undefined) continue;
		assert(points > before[0] && probability >= before[1], 'the knots rise');
	}
}

/**
 * Limits a probability, so that an estimate never looks like a proof. The scorecard's own curve stays in this range
 * by its limit of points.
 */
function asEstimate(probability: number): number {
	return Math.min(ESTIMATE.most, Math.max(ESTIMATE.least, probability));
}

function between(points: number, knots: readonly (readonly [number, number])[]): number {
	const next = knots.findIndex(([at]) => at >= points);
	const [from, to] = [knots[next - 1], knots[next]];
	// Nothing was measured beyond the ends.
	if (to === undefined) return knots.at(-1)?.[1] ?? 0.5;
	if (from === undefined) return to[1];
	return from[1] + ((to[1] - from[1]) * (points - from[0])) / (to[0] - from[0]);
}
