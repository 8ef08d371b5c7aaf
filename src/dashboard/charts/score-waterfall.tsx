import { change } from '../format.ts';
import { Table } from '../parts/table.tsx';

const SECTIONS = [
	['domain_triage', 'Domain and mail route'],
	['domain_age', 'Age of the domain'],
	['mailbox', 'Name of the mailbox'],
	['smtp', 'Mail server’s behaviour'],
	['public_evidence', 'Public evidence'],
	['list', 'Your list and its history'],
] as const;
type SectionName = (typeof SECTIONS)[number][0];

/** The breakdown of a score, as in the API: `base` and the six sections' scores add up to the score. */
export interface ScoreBreakdown extends Readonly<
	Record<SectionName, { readonly score: number; readonly signals: readonly string[] }>
> {
	readonly base: number;
	readonly explanations: readonly {
		readonly signal: string;
		readonly effect: number;
		readonly text: string;
	}[];
	/** Share of the evidence that could be measured, 0-1. */
	readonly coverage: number;
}

interface Step {
	readonly name: string;
	readonly from: number;
	readonly to: number;
	readonly reasons: ScoreBreakdown['explanations'];
	/** Why the step is smaller than its reasons: a rule sets a score that the scale can't show. Null: it is not. */
	readonly limited: string | null;
	readonly kind: 'base' | 'plus' | 'minus' | 'none' | 'result';
}

/** The breakdown of a score: from the base, section by section, to the result. */
export function ScoreWaterfall({
	breakdown,
	score,
}: {
	readonly breakdown: ScoreBreakdown;
	readonly score: number;
}) {
	return (
		<Table
			caption={`How the score of ${score} is made up`}
			class="waterfall"
			rows={stepsOf(breakdown, score)}
			rowClass={({ kind }) => (kind === 'result' ? 'total' : undefined)}
			empty={null}
			columns={[
				{ head: 'Evidence', names: true, width: 168, cell: (step) => <Evidence step={step} /> },
				{
					head: 'Drawing',
					hidesHead: true,
					width: 104,
					class: 'plot-cell',
					cell: (step) => <Drawing step={step} />,
				},
				{ head: 'Effect', align: 'right', width: 56, cell: effectOf },
				{ head: 'Score', align: 'right', width: 48, cell: ({ to }) => to },
			]}
		/>
	);
}

function Evidence({ step: { name, reasons, limited } }: { readonly step: Step }) {
	// A single reason has the section's effect, which stands beside it.
	const isOne = reasons.length === 1;
	return (
		<>
			{name}
			{(reasons.length > 0 || limited !== null) && (
				<ul class="reasons small quiet">
					{reasons.map(({ text, effect }) => (
						<li>
							{text} {!isOne && <span class="nowrap">({change(effect)})</span>}
						</li>
					))}
					{limited !== null && <li>{limited}</li>}
				</ul>
			)}
		</>
	);
}

function effectOf({ kind, from, to }: Step): string {
	return kind === 'base' || kind === 'result' ? '' : change(to - from);
}

function Drawing({ step }: { readonly step: Step }) {
	const { kind, from, to } = step;
	const fill = {
		base: 'fill-unknown',
		plus: 'fill-plus',
		minus: 'fill-minus',
		none: 'fill-unknown',
		result: 'fill-result',
	};
	const width = Math.abs(to - from);
	return (
		<svg width="100%" height="16" aria-hidden="true">
			<rect class="track" width="100%" height="16" rx="2" />
			<rect
				class={fill[kind]}
				x={`${Math.min(from, to)}%`}
				width={width === 0 ? 2 : `${width}%`}
				height="16"
			/>
		</svg>
	);
}

function stepsOf(breakdown: ScoreBreakdown, score: number): readonly Step[] {
	let sum = breakdown.base;
	const steps: Step[] = [
		{
			name: 'Starting score',
			from: 0,
			to: sum,
			reasons: [],
			limited: null,
			kind: 'base',
		},
	];
	for (const [section, name] of SECTIONS) {
		const { score: effect, signals } = breakdown[section];
		const from = onScale(sum);
		sum += effect;
		const to = onScale(sum);
		const kind = effect === 0 ? 'none' : effect > 0 ? 'plus' : 'minus';
		const reasons = breakdown.explanations.filter(({ signal }) => signals.includes(signal));
		const limited =
			to - from === effect ? null : `${change(effect)} in all, but a score stays between 0 and 100`;
		steps.push({ name, from, to, reasons, limited, kind });
	}
	steps.push({ name: 'Score', from: 0, to: score, reasons: [], limited: null, kind: 'result' });
	return steps;
}

/** A sum of effects as a score: what leaves the scale stops at its end. */
function onScale(sum: number): number {
	return Math.min(100, Math.max(0, sum));
}
