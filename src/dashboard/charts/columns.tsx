import type { Child } from 'hono/jsx';
import { count } from '../format.ts';

const PLOT_HEIGHT = 176;
// Space for a line of text above the plot; CHART_HEIGHT adds the labels below.
const TOP = 20;
const CHART_HEIGHT = TOP + PLOT_HEIGHT + 24;
const BASE = TOP + PLOT_HEIGHT;
// The share of its place that a column takes.
const FILLED = 0.68;

/** One column: its parts stand on one another, the first on the axis. */
export interface Column {
	/** Its meaning and its figures, under the pointer. */
	readonly title: string;
	readonly parts: readonly { readonly fill: string; readonly value: number }[];
	/** Written above it. */
	readonly says?: string;
}

/** A text at a place of the axis, in percent of its length. */
export interface Label {
	readonly at: number;
	readonly text: string;
	readonly anchor?: 'start' | 'middle' | 'end';
	readonly class?: string | undefined;
}

/** Stacked columns over a zero-based axis, drawn on the server. The same figures stand in a table below. */
export function StackedColumns(props: {
	/** The whole in a sentence, for screen readers. */
	readonly label: string;
	readonly columns: readonly Column[];
	/** Texts below the axis. */
	readonly labels: readonly Label[];
	/** Borders across the plot, in percent, and texts above it. */
	readonly borders?: readonly number[];
	readonly zones?: readonly Label[];
	/** The table, and what explains the colours. */
	readonly children: Child;
}) {
	const { columns, labels, borders = [], zones = [] } = props;
	const totals = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
	const { end, marks } = axisFor(Math.max(1, ...totals));
	const width = 16 + count(end).length * 7;
	const slot = 100 / columns.length;
	return (
		<figure class="stack-small">
			<div class="chart">
				<svg class="axis" width={width} height={CHART_HEIGHT} aria-hidden="true">
					{marks.map((mark) => (
						<text x={width - 8} y={BASE - heightOf(mark, end) + 4} text-anchor="end">
							{count(mark)}
						</text>
					))}
				</svg>
				<svg class="plot" width="100%" height={CHART_HEIGHT} role="img" aria-label={props.label}>
					{marks.map((mark) => {
						const y = BASE - Math.round(heightOf(mark, end)) + 0.5;
						return <line class={mark === 0 ? 'zero' : 'grid'} x1="0" x2="100%" y1={y} y2={y} />;
					})}
					{columns.map((column, index) => (
						<Drawn column={column} x={index * slot} slot={slot} end={end} top={totals[index] ?? 0} />
					))}
					{borders.map((at) => (
						<line class="mark" x1={at100(at)} x2={at100(at)} y1={0} y2={BASE} />
					))}
					<Texts labels={zones} y={12} />
					<Texts labels={labels} y={CHART_HEIGHT - 4} />
				</svg>
			</div>
			{props.children}
		</figure>
	);
}

function Texts({ labels, y }: { readonly labels: readonly Label[]; readonly y: number }) {
	return labels.map((label) => (
		<text x={at100(label.at)} y={y} text-anchor={label.anchor ?? 'middle'} class={label.class}>
			{label.text}
		</text>
	));
}

function Drawn(props: {
	readonly column: Column;
	readonly x: number;
	readonly slot: number;
	readonly end: number;
	readonly top: number;
}) {
	const { column, x, slot, end } = props;
	let below = 0;
	return (
		<g class="day">
			<title>{column.title}</title>
			<rect class="hit" x={at100(x)} width={at100(slot)} y={TOP} height={PLOT_HEIGHT} />
			{column.parts.map(({ fill, value }) => {
				if (value === 0) return null;
				below += value;
				return (
					<rect
						class={`fill-${fill}`}
						x={at100(x + (slot * (1 - FILLED)) / 2)}
						width={at100(slot * FILLED)}
						y={BASE - heightOf(below, end)}
						height={heightOf(value, end)}
					/>
				);
			})}
			{column.says !== undefined && (
				<text x={at100(x + slot)} y={BASE - heightOf(props.top, end) - 4} text-anchor="end">
					{column.says}
				</text>
			)}
		</g>
	);
}

/** The height of a value above the axis, px. */
function heightOf(value: number, end: number): number {
	return Number(((value / end) * PLOT_HEIGHT).toFixed(2));
}

function at100(percent: number): string {
	return `${percent.toFixed(2)}%`;
}

/** A zero-based axis for values up to `most`: its end and its marks, whole numbers that are easy to read. */
export function axisFor(most: number): { readonly end: number; readonly marks: readonly number[] } {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
	const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
	const step = steps.find((size) => 4 * size >= most) ?? power;
	const parts = Math.max(1, Math.ceil(most / step));
	return { end: parts * step, marks: Array.from({ length: parts + 1 }, (_, part) => part * step) };
}
