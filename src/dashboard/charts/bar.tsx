import { STATUSES } from '../../core/verification/sub-status.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { share } from '../../lib/share.ts';
import { count } from '../format.ts';
import { STATUS_WORDS, Shape } from '../parts/table.tsx';

/** A part of a whole. */
interface Part {
	readonly name: string;
	readonly tone: Status;
	readonly value: number;
	/** The page that lists the rows of this part. */
	readonly href?: string;
}

/** Outcomes as parts of a bar. */
export function partsOf(counts: Partial<Readonly<Record<Status, number>>>): readonly Part[] {
	return STATUSES.map((status) => ({ name: STATUS_WORDS[status], tone: status, value: counts[status] ?? 0 }));
}

/** A share as an SVG percentage, so that widths follow the page without scripts or style attributes. */
export function percent(part: number, whole: number): string {
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
export function Legend(props: {
	readonly parts: readonly Part[];
	readonly children: (part: Part) => unknown;
}) {
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
	const known = parts.reduce((sum, { value }) => sum + value, 0);
	const words = parts.map(({ name, value }) => `${count(value)} ${name.toLowerCase()}`);
	return [...words, ...(known < total ? [`${count(total - known)} still open`] : [])].join(', ');
}
