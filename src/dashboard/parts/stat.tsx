import { count } from '../format.ts';

export interface Stat {
	readonly label: string;
	readonly value: number;
	/** What the figure means, in a few words. */
	readonly note?: string;
}

/** A few figures that matter, each with its name. */
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
