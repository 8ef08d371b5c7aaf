import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { change, list } from '../format.ts';
import { Table } from '../parts/table.tsx';

const SECTIONS = [
	['domain_triage', 'Domain and mail route'],
	['domain_age', 'Age of the domain'],
	['mailbox', 'Name of the mailbox'],
	['smtp', 'Mail server’s behaviour'],
	['public_evidence', 'Public evidence'],
	['list', 'Your list and its history'],
] as const;

interface Step {
	readonly text: string;
	/** The figure at the right: points, or the score. */
	readonly points: string;
	readonly from: number;
	readonly to: number;
	readonly fill: 'unknown' | 'plus' | 'minus' | 'result';
}

/** The breakdown of a score: from the base, finding by finding, to the result. It can be checked by adding. */
export function ScoreWaterfall({
	breakdown,
	score,
}: {
	readonly breakdown: Breakdown;
	readonly score: number;
}) {
	const silent = SECTIONS.filter(([section]) => breakdown[section].score === 0).map(([, name]) => name);
	return (
		<div class="stack-small">
			<Table
				caption={`How the score of ${score} is made up`}
				class="waterfall"
				rows={stepsOf(breakdown, score)}
				columns={[
					{ head: 'Finding', names: true, width: 224, cell: ({ text }) => text },
					{
						head: 'Drawing',
						hidesHead: true,
						width: 104,
						class: 'plot-cell',
						cell: (step) => <Drawing {...step} />,
					},
					{ head: 'Points', align: 'right', width: 56, cell: ({ points }) => points },
				]}
			/>
			{silent.length > 0 && <p class="quiet small">No points: {list(silent)}.</p>}
		</div>
	);
}

function Drawing({ from, to, fill }: Step) {
	const [left, right] = [onScale(Math.min(from, to)), onScale(Math.max(from, to))];
	return (
		<svg width="100%" height="16" aria-hidden="true">
			<rect class="track" width="100%" height="16" rx="2" />
			<rect
				class={`fill-${fill}`}
				x={`${left}%`}
				width={left === right ? 2 : `${right - left}%`}
				height="16"
			/>
		</svg>
	);
}

function stepsOf({ base, explanations }: Breakdown, score: number): readonly Step[] {
	let sum = base;
	return [
		{ text: 'Starting score', points: String(base), from: 0, to: base, fill: 'unknown' },
		...explanations.map(({ text, effect }): Step => {
			const from = sum;
			sum += effect;
			return { text, points: change(effect), from, to: sum, fill: effect < 0 ? 'minus' : 'plus' };
		}),
		{ text: 'Score', points: String(score), from: 0, to: score, fill: 'result' },
	];
}

/** A sum on its way may leave the scale; what is drawn of it does not. */
function onScale(sum: number): number {
	return Math.min(100, Math.max(0, sum));
}
