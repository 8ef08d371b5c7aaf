import { count } from '../format.ts';

export const PLOT_HEIGHT = 176;
// Space for a line of text above the plot; CHART_HEIGHT adds the labels below.
export const TOP = 20;
export const CHART_HEIGHT = TOP + PLOT_HEIGHT + 24;

/** The height of a value above the axis, px. */
export function heightOf(value: number, end: number): number {
	return Number(((value / end) * PLOT_HEIGHT).toFixed(2));
}

/** The figures to the left of a plot. */
export function VerticalAxis({ marks, end }: { readonly marks: readonly number[]; readonly end: number }) {
	const width = 16 + count(end).length * 7;
	return (
		<svg class="axis" width={width} height={CHART_HEIGHT} aria-hidden="true">
			{marks.map((mark) => (
				<text x={width - 8} y={TOP + PLOT_HEIGHT - heightOf(mark, end) + 4} text-anchor="end">
					{count(mark)}
				</text>
			))}
		</svg>
	);
}

/** The lines behind a plot. */
export function Grid({ marks, end }: { readonly marks: readonly number[]; readonly end: number }) {
	return (
		<>
			{marks.map((mark) => {
				const y = TOP + PLOT_HEIGHT - Math.round(heightOf(mark, end)) + 0.5;
				return <line class={mark === 0 ? 'zero' : 'grid'} x1="0" x2="100%" y1={y} y2={y} />;
			})}
		</>
	);
}

/**
 * A zero-based axis for values up to `most`: its end and its marks, whole numbers that are easy to read.
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

/** A share as an SVG percentage, so that widths follow the page without scripts or style attributes. */
export function percent(part: number, whole: number): string {
	return `${Number(((part / whole) * 100).toFixed(3))}%`;
}
