import { probabilityAt } from '../../src/core/catchall/calibration.ts';
import type { Curve } from '../../src/core/catchall/calibration.ts';
import type { Band } from './counts.ts';

// How strongly the curve is held to the scorecard's own where there are few outcomes.
const RIDGE = 1;
const STEPS_MAX = 100;
const STEP_ENOUGH = 1e-9;
// The curve in use counts as this many outcomes in each band, so that a band with three outcomes does not jump.
const PRIOR_OUTCOMES = 10;
const DECIMALS = 1e4;

/** Platt scaling: stretches and moves the log-odds, by Newton's method with a ridge towards changing nothing. */
export function fitPlatt(bands: readonly Band[]): Curve & { readonly kind: 'platt' } {
	let [slope, shift] = [1, 0];
	for (let step = 0; step < STEPS_MAX; step += 1) {
		// Gradient and Hessian of the penalised likelihood.
		let [g0, g1] = [-RIDGE * (slope - 1), -RIDGE * shift];
		let [h00, h01, h11] = [RIDGE, 0, RIDGE];
		for (const { points, delivered, bounced } of bands) {
			const x = logOdds(points);
			const p = 1 / (1 + Math.exp(-(slope * x + shift)));
			const count = delivered + bounced;
			const residual = delivered - count * p;
			const weight = count * p * (1 - p);
			g0 += residual * x;
			g1 += residual;
			h00 += weight * x * x;
			h01 += weight * x;
			h11 += weight;
		}
		const determinant = h00 * h11 - h01 * h01;
		const [d0, d1] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
		slope += d0;
		shift += d1;
		if (Math.abs(d0) + Math.abs(d1) < STEP_ENOUGH) break;
	}
	// As points: ten double the odds.
	return { kind: 'platt', slope: rounded(slope), shift: rounded((10 * shift) / Math.LN2) };
}

/** Isotonic regression by pooling adjacent violators, over bands that the curve in use holds in place. */
export function fitIsotonic(bands: readonly Band[], current: Curve): Curve & { readonly kind: 'isotonic' } {
	const pools: { good: number; all: number; points: number[] }[] = [];
	for (const { points, delivered, bounced } of bands) {
		pools.push({
			good: delivered + PRIOR_OUTCOMES * probabilityAt(points, current),
			all: delivered + bounced + PRIOR_OUTCOMES,
			points: [points],
		});
		for (;;) {
			const [before, last] = pools.slice(-2);
			if (before === undefined || last === undefined || before.good / before.all <= last.good / last.all)
				break;
			pools.splice(-2, 2, {
				good: before.good + last.good,
				all: before.all + last.all,
				points: [...before.points, ...last.points],
			});
		}
	}
	const knots = pools.flatMap(({ good, all, points }) =>
		points.map((at) => [at, rounded(good / all)] as const),
	);
	return { kind: 'isotonic', knots };
}

function logOdds(points: number): number {
	return (points * Math.LN2) / 10;
}

function rounded(value: number): number {
	return Math.round(value * DECIMALS) / DECIMALS;
}
