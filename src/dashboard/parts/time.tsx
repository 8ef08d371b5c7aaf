import { exact, relative } from '../format.ts';

/** A time as people say it; the exact one is on it. */
export function Time({ at, now }: { readonly at: number; readonly now: number }) {
	return (
		<time datetime={new Date(at).toISOString()} title={exact(at)} class="nowrap">
			{relative(at, now)}
		</time>
	);
}
