import { Shape } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { count } from '../format.ts';
import { share } from '../../lib/share.ts';
import { percent } from './axis.tsx';

export interface BarPart {
	readonly name: string;
	readonly tone: Tone;
	readonly value: number;
	/** The page that lists the rows of this part. */
	readonly href?: string;
}

/**
 * A whole and its parts as one bar, easier to compare than a pie, with the figures below. The rest of `total` is still
 * pending.
 */
export function PartsBar(props: {
	readonly parts: readonly BarPart[];
	readonly total: number;
	/** The whole that shares in the legend are of, if not the total: what is known so far. */
	readonly of?: number;
	/** The name of the bar, for screen readers. */
	readonly label: string;
	/** The picture that a page is about. */
	readonly large?: boolean;
}) {
	const { parts, total } = props;
	const height = props.large === true ? 40 : 12;
	let before = 0;
	return (
		<figure class="stack-small">
			<div class="bar">
				<svg width="100%" height={height} role="img" aria-label={`${props.label}: ${inWords(props)}`}>
					<rect class="fill-pending" width="100%" height={height} />
					{parts.map(({ tone, value, name }) => {
						if (value === 0) return null;
						const x = percent(before, total);
						before += value;
						return (
							<rect class={`fill-${tone}`} x={x} width={percent(value, total)} height={height}>
								<title>{`${name}: ${count(value)}, ${share(value, total)}`}</title>
							</rect>
						);
					})}
				</svg>
			</div>
			<ul class="legend">
				{parts.map(({ name, tone, value, href }) => (
					<li>
						<span class={`ink-${tone} row`}>
							<Shape tone={tone} />
						</span>
						{href === undefined || value === 0 ? name : <a href={href}>{name}</a>}
						<strong>{count(value)}</strong>
						<span class="quiet">{share(value, props.of ?? total)}</span>
					</li>
				))}
			</ul>
		</figure>
	);
}

function inWords({ parts, total }: { readonly parts: readonly BarPart[]; readonly total: number }): string {
	const known = parts.reduce((sum, { value }) => sum + value, 0);
	const words = parts.map(({ name, value }) => `${count(value)} ${name.toLowerCase()}`);
	if (known < total) words.push(`${count(total - known)} still open`);
	return words.join(', ');
}
