import type { DayUsage } from '../../core/credits/usage.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { STATUS_WORDS, Shape } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { count, plural, shortDay } from '../format.ts';
import { CHART_HEIGHT, Grid, PLOT_HEIGHT, TOP, VerticalAxis, axisFor, heightOf } from './axis.tsx';

// The order of the parts of a bar (from the axis up), and of the legend.
const ORDER = STATUSES;
// Beside the navigation of a window of 768 px a label is a tenth of the chart. On a phone every second one is shown.
const LABELS_MAX = 6;
// So few days are labelled one by one, and their figures are open: they are seen at a glance.
const FEW_DAYS = 7;

/** Verifications of each day as stacked bars, and the same figures as a table. `days` are in order and without gaps. */
export function UsageByDay({ days }: { readonly days: readonly DayUsage[] }) {
	const totals = days.map(({ outcomes }) => sum(outcomes));
	const { end, marks } = axisFor(Math.max(1, ...totals));
	const slot = 100 / days.length;
	const everyNth = days.length <= FEW_DAYS ? 1 : Math.ceil(days.length / LABELS_MAX);
	return (
		<figure class="stack-small">
			<div class="chart">
				<VerticalAxis marks={marks} end={end} />
				<svg class="plot" width="100%" height={CHART_HEIGHT} role="img" aria-label={summary(days)}>
					<Grid marks={marks} end={end} />
					{days.map((day, index) => (
						<Bar day={day} x={index * slot} slot={slot} end={end} />
					))}
					{days.map(({ day }, index) =>
						(days.length - 1 - index) % everyNth === 0 ? (
							<text
								x={`${((index + 0.5) * slot).toFixed(2)}%`}
								y={CHART_HEIGHT - 4}
								text-anchor={index === days.length - 1 && everyNth > 1 ? 'end' : 'middle'}
								class={((days.length - 1 - index) / everyNth) % 2 === 0 ? undefined : 'between'}
							>
								{shortDay(day)}
							</text>
						) : null,
					)}
				</svg>
			</div>
			<ul class="legend small">
				{ORDER.map((status) => (
					<li>
						<span class={`ink-${status} row`}>
							<Shape tone={status} />
						</span>
						{STATUS_WORDS[status]}
					</li>
				))}
			</ul>
			<UsageTable days={days} />
		</figure>
	);
}

function Bar(props: {
	readonly day: DayUsage;
	readonly x: number;
	readonly slot: number;
	readonly end: number;
}) {
	const { day, x, slot, end } = props;
	let below = 0;
	return (
		<g class="day">
			<title>{dayInWords(day)}</title>
			<rect class="hit" x={`${x.toFixed(2)}%`} width={`${slot.toFixed(2)}%`} y={TOP} height={PLOT_HEIGHT} />
			{ORDER.map((status) => {
				const value = day.outcomes[status];
				if (value === 0) return null;
				below += value;
				return (
					<rect
						class={`fill-${status}`}
						x={`${(x + slot * 0.16).toFixed(2)}%`}
						width={`${(slot * 0.68).toFixed(2)}%`}
						y={TOP + PLOT_HEIGHT - heightOf(below, end)}
						height={heightOf(value, end)}
					/>
				);
			})}
		</g>
	);
}

function UsageTable({ days }: { readonly days: readonly DayUsage[] }) {
	const used = days.filter(({ outcomes, credits }) => sum(outcomes) > 0 || credits > 0).toReversed();
	return (
		<details class="more" open={days.length <= FEW_DAYS}>
			<summary>Show the figures as a table</summary>
			<Table
				caption="Verifications by day and outcome"
				rows={used}
				empty={<p class="quiet">Nothing was verified in these days.</p>}
				columns={[
					{
						head: 'Day',
						names: true,
						width: 72,
						cell: ({ day }) => <time datetime={day}>{shortDay(day)}</time>,
					},
					...ORDER.map((status) => ({
						head: STATUS_WORDS[status],
						align: 'right' as const,
						width: 88,
						cell: ({ outcomes }: DayUsage) => count(outcomes[status]),
					})),
					{ head: 'Credits', align: 'right', width: 72, cell: ({ credits }) => count(credits) },
				]}
			/>
		</details>
	);
}

function dayInWords({ day, outcomes, credits }: DayUsage): string {
	const parts = ORDER.filter((status) => outcomes[status] > 0).map(
		(status) => `${count(outcomes[status])} ${STATUS_WORDS[status].toLowerCase()}`,
	);
	return `${shortDay(day)}: ${parts.length === 0 ? 'nothing' : `${parts.join(', ')}; ${plural(credits, 'credit')}`}`;
}

function summary(days: readonly DayUsage[]): string {
	const all = days.reduce((total, { outcomes }) => total + sum(outcomes), 0);
	return `Verifications of ${plural(days.length, 'day')} by outcome: ${count(all)} in all. The figures are in the table below.`;
}

function sum(outcomes: Readonly<Record<Status, number>>): number {
	return ORDER.reduce((total, status) => total + outcomes[status], 0);
}
