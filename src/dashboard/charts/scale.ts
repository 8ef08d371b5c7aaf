/**
 * A zero-based axis that holds `most`: its end and its marks, whole numbers that are easy to read.
 */
export function axisFor(most: number): { readonly end: number; readonly marks: readonly number[] } {
	if (most <= 4) {
		const end = Math.max(1, Math.ceil(most));
		return { end, marks: Array.from({ length: end + 1 }, (_, mark) => mark) };
	}
	const rough = most / 4;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(
		1,
		[1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 1,
	);
	const whole = Number.isInteger(step) ? step : Math.ceil(step);
	const parts = Math.ceil(most / whole);
	return { end: parts * whole, marks: Array.from({ length: parts + 1 }, (_, part) => part * whole) };
}

/** A number as an SVG percentage: widths follow the page without a script and without style attributes. */
export function percent(part: number, whole: number): string {
	return `${Number(((part / whole) * 100).toFixed(3))}%`;
}
