import { STATUSES } from '../../core/verification/sub-status.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { share } from '../../lib/share.ts';
import { count } from '../format.ts';
import { STATUS_WORDS, Shape } from '../parts/badge.tsx';

type Counts = Readonly<Record<Status, number>>;

/** A share as an SVG percentage, so that widths follow the page without scripts or style attributes. */
export function percent(part: number, whole: number): string {
	return `${Number(((part / whole) * 100).toFixed(3))}%`;
}

/**
 * A whole and its outcomes as one bar, easier to compare than a pie. The rest of `total` is still pending.
 *
 * @param label its name for screen readers; left out: the figures stand beside it
 */
export function Bar(props: {
	readonly counts: Partial<Counts>;
	readonly total: number;
	readonly height: number;
	readonly label?: string;
}) {
	const { counts, height, label } = props;
	const total = Math.max(1, props.total);
	const named =
		label === undefined ? { 'aria-hidden': 'true' as const } : { role: 'img', 'aria-label': label };
	let before = 0;
	return (
		<div class="bar">
			<svg width="100%" height={height} {...named}>
				<rect class="fill-pending" width="100%" height={height} />
				{STATUSES.map((status) => {
					const value = counts[status] ?? 0;
					if (value === 0) return null;
					const x = percent(before, total);
					before += value;
					return (
						<rect class={`fill-${status}`} x={x} width={percent(value, total)} height={height}>
							<title>{`${STATUS_WORDS[status]}: ${count(value)}, ${share(value, total)}`}</title>
						</rect>
					);
				})}
			</svg>
		</div>
	);
}

/** The outcomes in words: `3 deliverable, 1 risky`. What is still open is counted last. */
export function outcomesInWords(counts: Counts, total: number): string {
	const known = STATUSES.reduce((sum, status) => sum + counts[status], 0);
	const words = STATUSES.map((status) => `${count(counts[status])} ${STATUS_WORDS[status].toLowerCase()}`);
	return [...words, ...(known < total ? [`${count(total - known)} still open`] : [])].join(', ');
}

/** The bar of all outcomes, and the figures below it. */
export function OutcomesBar(props: {
	readonly counts: Counts;
	readonly total: number;
	/** The whole that shares in the legend are of, if not the total: what is known so far. */
	readonly of?: number;
	/** Where the rows of a status are; none: nowhere. */
	readonly hrefOf?: (status: Status) => string;
}) {
	const { counts, total, hrefOf } = props;
	return (
		<figure class="stack-small">
			<Bar counts={counts} total={total} height={40} label={`Outcomes: ${outcomesInWords(counts, total)}`} />
			<Legend>
				{(status) => (
					<>
						{hrefOf === undefined || counts[status] === 0 ? (
							STATUS_WORDS[status]
						) : (
							<a href={hrefOf(status)}>{STATUS_WORDS[status]}</a>
						)}
						<strong>{count(counts[status])}</strong>
						<span class="quiet">{share(counts[status], props.of ?? total)}</span>
					</>
				)}
			</Legend>
		</figure>
	);
}

/** The shapes of the outcomes, each with its words. */
export function Legend({ children: wordsOf }: { readonly children: (status: Status) => unknown }) {
	return (
		<ul class="legend">
			{STATUSES.map((status) => (
				<li>
					<span class={`ink-${status} row`}>
						<Shape tone={status} />
					</span>
					{wordsOf(status)}
				</li>
			))}
		</ul>
	);
}
