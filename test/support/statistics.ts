/** The middle of the values, the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const upper = sorted[Math.floor(middle)] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** All of them. */
export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** `206 (203–240)` */
export function spread(values: readonly number[]): string {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
	return `${middle.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`;
}

/** The least of the values that so many of all are not above; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
