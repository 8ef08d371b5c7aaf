import type { OutcomeKind } from './outcome.ts';

/** The width of a band, in the scorecard's points: ten double the odds. */
export const BAND_POINTS = 4;

/** Counts of the outcomes of messages to addresses of one band. No address can be derived from them. */
export interface BandCount extends Readonly<Record<OutcomeKind, number>> {
	/** The scorecard that gave the points, without its calibration. */
	readonly scorecard: string;
	readonly band: number;
}

/** The band of a score's points. */
export function bandOf(points: number): number {
	return Math.round(points / BAND_POINTS) + 0;
}

/** The points in the middle of a band. */
export function pointsOf(band: number): number {
	return band * BAND_POINTS;
}
