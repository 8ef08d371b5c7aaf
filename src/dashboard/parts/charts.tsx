import type { Child } from 'hono/jsx';
import type { DayUsage } from '../../core/credits/usage.ts';
import type { ScoreCounts } from '../../core/jobs/task-verdicts.ts';
import { INVALID_UP_TO, VALID_FROM, STATUSES } from '../../core/verification/sub-status.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { share } from '../../lib/share.ts';
import { count, plural, shortDay } from '../format.ts';
import { Section } from '../layout.tsx';
import { STATUS_WORDS, Shape, Table } from './table.tsx';

// Pictures of figures, drawn on the server.

/** A part of a whole. */
interface Part {
	readonly name: string;
	readonly tone: Status;
	readonly value: number;
	/** The page that lists the rows of this part. */
	readonly href?: string | undefined;
}

/** Outcomes as parts of a bar. */
export function partsOf(counts: Partial<Readonly<Record<Status, number>>>): readonly Part[] {
	return STATUSES.map((status) => ({ name: STATUS_WORDS[status], tone: status, value: counts[status] ?? 0 }));
}

/** A share as an SVG percentage, so that widths follow the page without scripts or style attributes. */
function percent(part: number, whole: number): string {
	return `${Number(((part / Math.max(1, whole)) * 100).toFixed(3))}%`;
}

interface BarProps {
	readonly parts: readonly Part[];
	/** The rest of it is still pending. */
	readonly total: number;
	/** The name of the bar, for screen readers. Left out: the figures stand beside it. */
	readonly label?: string;
}

/** A whole and its parts as one bar, easier to compare than a pie. */
export function Bar({ parts, total, label, height }: BarProps & { readonly height: number }) {
	let before = 0;
	const words = inWords(parts, total);
	const named =
		label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': `${label}: ${words}` };
	return (
		<div class="bar">
			<svg width="100%" height={height} {...named}>
				<rect class="fill-pending" width="100%" height={height} />
				{parts.map(({ name, tone, value }) => {
					if (value === 0) return null;
					const x = percent(before, total);
					before += value;
					return (
						<rect class={`fill-${tone}`} x={x} width={percent(value, total)} height={height}>
							{label !== undefined && <title>{`${name}: ${count(value)}, ${share(value, total)}`}</title>}
						</rect>
					);
				})}
			</svg>
		</div>
	);
}

/** The bar that a page is about, and its figures below. */
export function PartsBar(
	props: BarProps & {
		/** The whole that shares in the legend are of, if not the total: what is known so far. */
		readonly of?: number;
	},
) {
	const { parts, total, of: known = total } = props;
	return (
		<figure class="stack-small">
			<Bar {...props} height={40} />
			<Legend parts={parts}>
				{({ name, value, href }) => (
					<>
						{href === undefined || value === 0 ? name : <a href={href}>{name}</a>}
						<strong>{count(value)}</strong>
						<span class="quiet">{share(value, known)}</span>
					</>
				)}
			</Legend>
		</figure>
	);
}

/** The shapes of the parts, each with its words. */
function Legend(props: { readonly parts: readonly Part[]; readonly children: (part: Part) => unknown }) {
	return (
		<ul class="row legend">
			{props.parts.map((part) => (
				<li class="row">
					<span class={`ink-${part.tone} row`}>
						<Shape tone={part.tone} />
					</span>
					{props.children(part)}
				</li>
			))}
		</ul>
	);
}

function inWords(parts: readonly Part[], total: number): string {
	const known = sum(parts.map(({ value }) => value));
	const words = parts.map(({ name, value }) => `${count(value)} ${name.toLowerCase()}`);
	return [...words, ...(known < total ? [`${count(total - known)} still open`] : [])].join(', ');
}

// Stacked columns over a zero-based axis, drawn on the server, and the two charts made of them.

const PLOT_HEIGHT = 176;
// Space for a line of text above the plot; CHART_HEIGHT adds the labels below.
const TOP = 20;
const CHART_HEIGHT = TOP + PLOT_HEIGHT + 24;
const BASE = TOP + PLOT_HEIGHT;
// The share of its place that a column takes.
const FILLED = 0.68;

/** A text below the axis, or above the plot, at a place in percent of the axis. */
interface Label {
	readonly at: number;
	readonly text: string;
	readonly isAbove?: boolean;
	readonly anchor?: 'start' | 'middle' | 'end';
	readonly class?: string | undefined;
}

/** The parts of a column stand on one another, the first on the axis. Its title is under the pointer. */
interface Column {
	readonly title: string;
	readonly parts: readonly { readonly fill: string; readonly value: number }[];
}

function StackedColumns(props: {
	/** The whole in a sentence, for screen readers. */
	readonly label: string;
	readonly columns: readonly Column[];
	readonly labels: readonly Label[];
	/** Lines across the plot, in percent. */
	readonly borders?: readonly number[];
	/** The same figures in words, and what explains the colours. */
	readonly children: Child;
}) {
	const { columns, labels, borders = [] } = props;
	const most = Math.max(1, ...columns.map(({ parts }) => sum(parts.map(({ value }) => value))));
	const { end, marks } = axisFor(most);
	const heightOf = (value: number) => Number(((value / end) * PLOT_HEIGHT).toFixed(2));
	const width = 16 + count(end).length * 7;
	const slot = 100 / columns.length;
	return (
		<figure class="stack-small">
			<div class="chart">
				<svg class="axis" width={width} height={CHART_HEIGHT} aria-hidden="true">
					{marks.map((mark) => (
						<text x={width - 8} y={BASE - heightOf(mark) + 4} text-anchor="end">
							{count(mark)}
						</text>
					))}
				</svg>
				<svg class="plot" width="100%" height={CHART_HEIGHT} role="img" aria-label={props.label}>
					{marks.map((mark) => {
						const y = BASE - Math.round(heightOf(mark)) + 0.5;
						const stroke = mark === 0 ? 'var(--line-strong)' : 'var(--line)';
						return <line stroke={stroke} x1="0" x2="100%" y1={y} y2={y} />;
					})}
					{columns.map(({ title, parts }, index) => {
						const x = index * slot;
						const place = { x: percent(x, 100), width: percent(slot, 100), y: TOP, height: PLOT_HEIGHT };
						let below = 0;
						return (
							<g class="day">
								<title>{title}</title>
								<rect class="hit" fill="transparent" {...place} />
								{parts.map(({ fill, value }) => {
									if (value === 0) return null;
									below += value;
									return (
										<rect
											class={`fill-${fill}`}
											x={percent(x + (slot * (1 - FILLED)) / 2, 100)}
											width={percent(slot * FILLED, 100)}
											y={BASE - heightOf(below)}
											height={heightOf(value)}
										/>
									);
								})}
							</g>
						);
					})}
					{borders.map((at) => {
						const x = percent(at, 100);
						return <line stroke="var(--text)" stroke-dasharray="3 3" x1={x} x2={x} y1={0} y2={BASE} />;
					})}
					{labels.map(({ at, isAbove = false, anchor = 'middle', class: name, text }) => (
						<text x={percent(at, 100)} y={isAbove ? 12 : CHART_HEIGHT - 4} text-anchor={anchor} class={name}>
							{text}
						</text>
					))}
				</svg>
			</div>
			{props.children}
		</figure>
	);
}

/** A zero-based axis for values up to `most`: its end and its marks, whole numbers that are easy to read. */
export function axisFor(most: number): { readonly end: number; readonly marks: readonly number[] } {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
	const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
	const step = steps.find((size) => 4 * size >= most) ?? power;
	const parts = Math.max(1, Math.ceil(most / step));
	return { end: parts * step, marks: Array.from({ length: parts + 1 }, (_, part) => part * step) };
}

function sum(values: readonly number[]): number {
	return values.reduce((all, each) => all + each, 0);
}

const ORDER = ['invalid', 'unknown', 'valid'] as const;
const BIN_WIDTH = 5;
const SCORE_MAX = 100;
const SCORE_LABELS: readonly Label[] = [
	{ at: INVALID_UP_TO / 2, text: 'not real', isAbove: true },
	{ at: 50, text: 'undecided', isAbove: true },
	{ at: (VALID_FROM + SCORE_MAX) / 2, text: 'real', isAbove: true },
	{ at: 0, text: '0', anchor: 'start' },
	...[20, 40, 60, 80].map((at) => ({ at, text: String(at) })),
	{ at: SCORE_MAX, text: String(SCORE_MAX), anchor: 'end' },
];

/** How many addresses got which score, between the borders of the verdicts. The last bin of five includes 100. */
export function ScoreHistogram({ scores }: { readonly scores: ScoreCounts }) {
	const bins = Array.from({ length: SCORE_MAX / BIN_WIDTH }, (_, bin) => {
		const from = bin * BIN_WIDTH;
		const to = from + BIN_WIDTH === SCORE_MAX ? SCORE_MAX : from + BIN_WIDTH - 1;
		const parts = ORDER.map((fill) => ({ fill, value: sum(scores[fill].slice(from, to + 1)) }));
		const total = sum(parts.map(({ value }) => value));
		return { title: `Scores ${from} to ${to}: ${count(total)}`, parts, total };
	});
	const [invalid, unknown, valid] = ORDER.map((verdict) => count(sum(scores[verdict])));
	return (
		<StackedColumns
			label={`Scores from 0 to 100: ${invalid} addresses at ${INVALID_UP_TO} and below, ${unknown} undecided, ${valid} at ${VALID_FROM} and above.`}
			columns={bins}
			labels={SCORE_LABELS}
			borders={[INVALID_UP_TO, VALID_FROM]}
		>
			<ul class="unseen">{bins.map(({ title, total }) => total > 0 && <li>{title}</li>)}</ul>
		</StackedColumns>
	);
}

// Beside the navigation of a window of 768 px a label is a tenth of the chart. On a phone every second one is shown.
const LABELS_MAX = 6;
// So few days are labelled one by one, and their figures are open: they are seen at a glance.
const FEW_DAYS = 7;

/** Verifications of each day, and the same figures as a table. `days` are in order and without gaps. */
export function UsageSection(props: {
	readonly title: string;
	readonly days: readonly DayUsage[];
	/** Where nothing was verified. */
	readonly none?: Child;
}) {
	const { days } = props;
	const inAll = sum(days.flatMap(({ outcomes }) => Object.values(outcomes)));
	if (inAll === 0) return props.none ?? null;
	const everyNth = days.length <= FEW_DAYS ? 1 : Math.ceil(days.length / LABELS_MAX);
	return (
		<Section title={props.title} aside="Days are UTC">
			<StackedColumns
				label={`Verifications of ${plural(days.length, 'day')} by outcome: ${count(inAll)} in all. The figures are in the table below.`}
				columns={days.map((day) => ({
					title: dayInWords(day),
					parts: STATUSES.map((status) => ({ fill: status, value: day.outcomes[status] })),
				}))}
				labels={days.flatMap(({ day }, index) => {
					const fromEnd = days.length - 1 - index;
					if (fromEnd % everyNth !== 0) return [];
					const anchor = fromEnd === 0 && everyNth > 1 ? 'end' : 'middle';
					const isKept = (fromEnd / everyNth) % 2 === 0;
					const at = ((index + 0.5) / days.length) * 100;
					return [{ at, text: shortDay(day), anchor, class: isKept ? undefined : 'between' }];
				})}
			>
				<Legend parts={partsOf({})}>{({ name }) => name}</Legend>
				<details class="more" open={days.length <= FEW_DAYS}>
					<summary>Show the figures as a table</summary>
					<Table
						caption="Verifications by day and outcome"
						rows={days
							.filter(({ outcomes, credits }) => credits + sum(Object.values(outcomes)) > 0)
							.toReversed()}
						empty="Nothing was verified in these days."
						columns={(column) => [
							column('Day', { width: 72, names: true }, ({ day }) => (
								<time datetime={day}>{shortDay(day)}</time>
							)),
							...STATUSES.map((status) =>
								column(STATUS_WORDS[status], { width: 88, class: 'num' }, ({ outcomes }: DayUsage) =>
									count(outcomes[status]),
								),
							),
							column('Credits', { width: 72, class: 'num' }, ({ credits }) => count(credits)),
						]}
					/>
				</details>
			</StackedColumns>
		</Section>
	);
}

function dayInWords({ day, outcomes, credits }: DayUsage): string {
	const parts = STATUSES.filter((status) => outcomes[status] > 0).map(
		(status) => `${count(outcomes[status])} ${STATUS_WORDS[status].toLowerCase()}`,
	);
	return `${shortDay(day)}: ${parts.length === 0 ? 'nothing' : `${parts.join(', ')}; ${plural(credits, 'credit')}`}`;
}
