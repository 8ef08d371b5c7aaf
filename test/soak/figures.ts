import { sum } from '../bench/statistics.ts';

/** A measured value and when it was taken. */
export interface Sample {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly value: number;
}

const HOUR_MS = 3_600_000;

/** By how much the value changes in an hour, by least squares; null for fewer than two moments. */
export function slopePerHour(samples: readonly Sample[]): number | null {
	const [meanAt, meanValue] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ value }) => value))];
	const spreadOfTime = sum(samples.map(({ at }) => (at - meanAt) ** 2));
	if (samples.length < 2 || spreadOfTime === 0) return null;
	return (sum(samples.map(({ at, value }) => (at - meanAt) * (value - meanValue))) / spreadOfTime) * HOUR_MS;
}

function mean(values: readonly number[]): number {
	return sum(values) / values.length;
}
