/** The middle of the values, the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const upper = sorted[Math.floor(middle)] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** `206 (203–240)` */
export function spread(values: readonly number[]): string {
	const round = (value: number): string => value.toFixed(0);
	return `${round(median(values))} (${round(Math.min(...values))}–${round(Math.max(...values))})`;
}
