import { probabilityAt } from '../../src/core/catchall/calibration.ts';
import type { Curve } from '../../src/core/catchall/calibration.ts';
import type { Band } from './counts.ts';

/** How well a curve tells outcomes that it has not seen. */
export interface Quality {
	/** Mean loss of an outcome, in nats: the smaller the better. */
	readonly logLoss: number;
	/** Expected calibration error: by how much told and observed shares differ on average, 0-1. */
	readonly ece: number;
}

/** A band's told and observed share of delivered messages. */
export interface Reliability {
	readonly points: number;
	readonly outcomes: number;
	readonly told: number;
	readonly observed: number;
}

/** Outcomes, and a curve that has not seen them. */
export interface Unseen {
	readonly curve: Curve;
	readonly bands: readonly Band[];
}

export function qualityOf(parts: readonly Unseen[]): Quality {
	let [loss, all] = [0, 0];
	const surplus = new Map<number, number>();
	for (const { curve, bands } of parts)
		for (const { points, delivered, bounced } of bands) {
			const p = probabilityAt(points, curve);
			loss -= delivered * Math.log(p) + bounced * Math.log(1 - p);
			surplus.set(points, (surplus.get(points) ?? 0) + delivered - (delivered + bounced) * p);
			all += delivered + bounced;
		}
	const gap = [...surplus.values()].reduce((sum, one) => sum + Math.abs(one), 0);
	return { logLoss: loss / all, ece: gap / all };
}

/** By how much less an outcome loses by these curves than by `current`, on average, and the error of that average. */
export function gainOf(
	parts: readonly Unseen[],
	current: Curve,
): { readonly mean: number; readonly error: number } {
	let [sum, squares, all] = [0, 0, 0];
	for (const { curve, bands } of parts)
		for (const { points, delivered, bounced } of bands) {
			const [q, p] = [probabilityAt(points, curve), probabilityAt(points, current)];
			const [good, bad] = [Math.log(q / p), Math.log((1 - q) / (1 - p))];
			sum += delivered * good + bounced * bad;
			squares += delivered * good ** 2 + bounced * bad ** 2;
			all += delivered + bounced;
		}
	const mean = sum / all;
	return { mean, error: Math.sqrt(Math.max(0, squares / all - mean ** 2) / all) };
}

export function reliabilityOf(curve: Curve, bands: readonly Band[]): readonly Reliability[] {
	return bands
		.map(({ points, delivered, bounced }) => ({
			points,
			outcomes: delivered + bounced,
			told: probabilityAt(points, curve),
			observed: delivered / (delivered + bounced),
		}))
		.filter(({ outcomes }) => outcomes > 0);
}
