import { count, exact, ofAddresses, relative } from '../format.ts';

// Figures and times with their labels.

export interface Stat {
	readonly label: string;
	readonly value: number;
	/** What the figure means, in a few words. */
	readonly note?: string;
}

/** A few important figures, each with its name. */
export function Stats({ stats }: { readonly stats: readonly Stat[] }) {
	return (
		<dl class="stats">
			{stats.map(({ label, value, note }) => (
				<div>
					<dt>{label}</dt>
					<dd class="figure">{count(value)}</dd>
					{note !== undefined && <dd class="note">{note}</dd>}
				</div>
			))}
		</dl>
	);
}

/** How many addresses are done, as text and as a bar. */
export function Progress(props: { readonly done: number; readonly total: number; readonly label: string }) {
	const { done, total } = props;
	return (
		<div class="stack-small">
			<progress class="progress" value={done} max={Math.max(1, total)} aria-label={props.label} />
			<p class="spread quiet">
				<span>{ofAddresses(done, total)}</span>
				<span>{total === 0 ? 100 : Math.floor((done / total) * 100)}%</span>
			</p>
		</div>
	);
}

/** A relative time, with the exact one as its tooltip. */
export function Time({ at, now }: { readonly at: number; readonly now: number }) {
	return (
		<time datetime={new Date(at).toISOString()} title={exact(at)} class="nowrap">
			{relative(at, now)}
		</time>
	);
}
