import type { ScoreCounts } from '../../core/jobs/task-verdicts.ts';
import { INVALID_UP_TO, VALID_FROM } from '../../core/verification/bands.ts';
import { count } from '../format.ts';
import { StackedColumns } from './columns.tsx';

const ORDER = ['invalid', 'unknown', 'valid'] as const;
const BIN_WIDTH = 5;
const SCORE_MAX = 100;
const MARKS = [0, 20, 40, 60, 80, 100];
const ZONES = [
	{ at: INVALID_UP_TO / 2, text: 'not real' },
	{ at: 50, text: 'undecided' },
	{ at: (VALID_FROM + SCORE_MAX) / 2, text: 'real' },
];

/** How many addresses got which score, between the borders of the verdicts. The last bin of five includes 100. */
export function ScoreHistogram({ scores }: { readonly scores: ScoreCounts }) {
	const bins = Array.from({ length: SCORE_MAX / BIN_WIDTH }, (_, bin) => {
		const from = bin * BIN_WIDTH;
		const to = from + BIN_WIDTH === SCORE_MAX ? SCORE_MAX : from + BIN_WIDTH - 1;
		const parts = ORDER.map((verdict) => ({
			fill: verdict,
			value: sum(scores[verdict].slice(from, to + 1)),
		}));
		return { from, to, parts, total: sum(parts.map(({ value }) => value)) };
	});
	const totals = ORDER.map((verdict) => count(sum(scores[verdict])));
	return (
		<StackedColumns
			label={`Scores from 0 to 100: ${totals[0]} addresses at ${INVALID_UP_TO} and below, ${totals[1]} undecided, ${totals[2]} at ${VALID_FROM} and above.`}
			columns={bins.map(({ from, to, parts, total }) => ({
				title: `Scores ${from} to ${to}: ${count(total)}`,
				parts,
			}))}
			labels={MARKS.map((mark) => ({
				at: mark,
				text: String(mark),
				anchor: mark === 0 ? 'start' : mark === SCORE_MAX ? 'end' : 'middle',
			}))}
			borders={[INVALID_UP_TO, VALID_FROM]}
			zones={ZONES}
		>
			<ul class="unseen">
				{bins
					.filter(({ total }) => total > 0)
					.map(({ from, to, total }) => (
						<li>{`${from} to ${to}: ${count(total)}`}</li>
					))}
			</ul>
		</StackedColumns>
	);
}

function sum(values: readonly number[]): number {
	return values.reduce((all, each) => all + each, 0);
}
