import type { ScoreCounts } from '../../core/jobs/task-verdicts.ts';
import { INVALID_UP_TO, VALID_FROM } from '../../core/verification/bands.ts';
import type { CatchAllVerdict } from '../../core/verification/render.ts';
import { count } from '../format.ts';
import { Table } from '../parts/table.tsx';
import { CHART_HEIGHT, Grid, PLOT_HEIGHT, TOP, VerticalAxis, axisFor, heightOf } from './axis.tsx';

/** The number of scores from `from` to `to`, inclusive, by verdict. */
export interface ScoreBin {
	readonly from: number;
	readonly to: number;
	readonly counts: Readonly<Record<CatchAllVerdict, number>>;
}

const ORDER = ['invalid', 'unknown', 'valid'] as const satisfies readonly CatchAllVerdict[];
const SCORES = 101;
const MARKS = [0, 20, 40, 60, 80, 100];

const BIN_WIDTH = 5;
const SCORE_MAX = 100;

/** The scores in bins of five; the last bin includes 100. */
export function binsOf(scores: ScoreCounts): readonly ScoreBin[] {
	return Array.from({ length: SCORE_MAX / BIN_WIDTH }, (_, bin) => {
		const from = bin * BIN_WIDTH;
		const to = from + BIN_WIDTH === SCORE_MAX ? SCORE_MAX : from + BIN_WIDTH - 1;
		const sum = (verdict: CatchAllVerdict): number =>
			scores[verdict].slice(from, to + 1).reduce((all, each) => all + each, 0);
		return { from, to, counts: { valid: sum('valid'), invalid: sum('invalid'), unknown: sum('unknown') } };
	});
}

/** The distribution of scores, with the borders of the verdicts. */
export function ScoreHistogram(props: { readonly bins: readonly ScoreBin[] }) {
	const { bins } = props;
	const { end, marks } = axisFor(Math.max(1, ...bins.map(totalOf)));
	return (
		<figure class="stack-small">
			<div class="chart">
				<VerticalAxis marks={marks} end={end} />
				<svg class="plot" width="100%" height={CHART_HEIGHT} role="img" aria-label={summary(props)}>
					<Grid marks={marks} end={end} />
					{bins.map((bin) => (
						<Bin bin={bin} end={end} />
					))}
					<Threshold at={INVALID_UP_TO + 1} words="invalid below" />
					<Threshold at={VALID_FROM} words="valid from" />
					{MARKS.map((mark) => (
						<text
							x={x(mark)}
							y={CHART_HEIGHT - 4}
							text-anchor={mark === 0 ? 'start' : mark === 100 ? 'end' : 'middle'}
						>
							{mark}
						</text>
					))}
				</svg>
			</div>
			<HistogramTable bins={bins} />
		</figure>
	);
}

function Bin({ bin, end }: { readonly bin: ScoreBin; readonly end: number }) {
	const width = bin.to - bin.from + 1;
	let below = 0;
	return (
		<g class="day">
			<title>{`Scores ${bin.from} to ${bin.to}: ${count(totalOf(bin))}`}</title>
			<rect class="hit" x={x(bin.from)} width={x(width)} y={TOP} height={PLOT_HEIGHT} />
			{ORDER.map((verdict) => {
				const value = bin.counts[verdict];
				if (value === 0) return null;
				below += value;
				return (
					<rect
						class={`fill-${verdict}`}
						x={x(bin.from + width * 0.08)}
						width={x(width * 0.84)}
						y={TOP + PLOT_HEIGHT - heightOf(below, end)}
						height={heightOf(value, end)}
					/>
				);
			})}
		</g>
	);
}

function Threshold({ at, words }: { readonly at: number; readonly words: string }) {
	return (
		<>
			<line class="mark" x1={x(at)} x2={x(at)} y1={0} y2={TOP + PLOT_HEIGHT} />
			<text class="mark-text" x={x(at - 0.7)} y={12} text-anchor="end">
				{words} {at}
			</text>
		</>
	);
}

function HistogramTable({ bins }: { readonly bins: readonly ScoreBin[] }) {
	return (
		<details class="more">
			<summary>Show the figures as a table</summary>
			<Table
				caption="Addresses by score"
				rows={bins.filter((bin) => totalOf(bin) > 0)}
				empty={<p class="quiet">No address has a score yet.</p>}
				columns={[
					{ head: 'Score', names: true, width: 96, cell: ({ from, to }) => `${from}–${to}` },
					{ head: 'Invalid', align: 'right', width: 96, cell: ({ counts }) => count(counts.invalid) },
					{ head: 'Unknown', align: 'right', width: 96, cell: ({ counts }) => count(counts.unknown) },
					{ head: 'Valid', align: 'right', width: 96, cell: ({ counts }) => count(counts.valid) },
				]}
			/>
		</details>
	);
}

function summary({ bins }: Parameters<typeof ScoreHistogram>[0]): string {
	const all = bins.reduce((sum, bin) => sum + totalOf(bin), 0);
	return `Scores of ${count(all)} addresses from 0 to 100. ${INVALID_UP_TO} and below is invalid, ${VALID_FROM} and above valid. The figures are in the table below.`;
}

function totalOf({ counts }: ScoreBin): number {
	return counts.valid + counts.invalid + counts.unknown;
}

/** A score's position on the axis, where all scores have the same width. */
function x(score: number): string {
	return `${((score / SCORES) * 100).toFixed(2)}%`;
}
