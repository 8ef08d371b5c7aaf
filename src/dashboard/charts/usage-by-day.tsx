import type { DayUsage } from '../../core/credits/usage.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { count, plural, shortDay } from '../format.ts';
import { STATUS_WORDS } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { Legend, partsOf } from './bar.tsx';
import { StackedColumns } from './columns.tsx';

// Beside the navigation of a window of 768 px a label is a tenth of the chart. On a phone every second one is shown.
const LABELS_MAX = 6;
// So few days are labelled one by one, and their figures are open: they are seen at a glance.
const FEW_DAYS = 7;

/** Verifications of each day as stacked bars, and the same figures as a table. `days` are in order and without gaps. */
export function UsageByDay({ days }: { readonly days: readonly DayUsage[] }) {
	const everyNth = days.length <= FEW_DAYS ? 1 : Math.ceil(days.length / LABELS_MAX);
	const all = days.reduce((total, { outcomes }) => total + sum(outcomes), 0);
	const labels = days.flatMap(({ day }, index) => {
		const fromEnd = days.length - 1 - index;
		if (fromEnd % everyNth !== 0) return [];
		const anchor = fromEnd === 0 && everyNth > 1 ? ('end' as const) : ('middle' as const);
		const isKept = (fromEnd / everyNth) % 2 === 0;
		const at = ((index + 0.5) / days.length) * 100;
		return [{ at, text: shortDay(day), anchor, class: isKept ? undefined : 'between' }];
	});
	return (
		<StackedColumns
			label={`Verifications of ${plural(days.length, 'day')} by outcome: ${count(all)} in all. The figures are in the table below.`}
			columns={days.map((day) => ({
				title: dayInWords(day),
				parts: STATUSES.map((status) => ({ fill: status, value: day.outcomes[status] })),
			}))}
			labels={labels}
		>
			<Legend parts={partsOf({})}>{({ name }) => name}</Legend>
			<details class="more" open={days.length <= FEW_DAYS}>
				<summary>Show the figures as a table</summary>
				<UsageTable days={days} />
			</details>
		</StackedColumns>
	);
}

function UsageTable({ days }: { readonly days: readonly DayUsage[] }) {
	return (
		<Table
			caption="Verifications by day and outcome"
			rows={days.filter(({ outcomes, credits }) => sum(outcomes) > 0 || credits > 0).toReversed()}
			empty={<p class="quiet">Nothing was verified in these days.</p>}
			columns={[
				{
					head: 'Day',
					names: true,
					width: 72,
					cell: ({ day }) => <time datetime={day}>{shortDay(day)}</time>,
				},
				...STATUSES.map((status) => ({
					head: STATUS_WORDS[status],
					align: 'right' as const,
					width: 88,
					cell: ({ outcomes }: DayUsage) => count(outcomes[status]),
				})),
				{ head: 'Credits', align: 'right', width: 72, cell: ({ credits }) => count(credits) },
			]}
		/>
	);
}

function dayInWords({ day, outcomes, credits }: DayUsage): string {
	const parts = STATUSES.filter((status) => outcomes[status] > 0).map(
		(status) => `${count(outcomes[status])} ${STATUS_WORDS[status].toLowerCase()}`,
	);
	return `${shortDay(day)}: ${parts.length === 0 ? 'nothing' : `${parts.join(', ')}; ${plural(credits, 'credit')}`}`;
}

function sum(outcomes: Readonly<Record<Status, number>>): number {
	return STATUSES.reduce((total, status) => total + outcomes[status], 0);
}
