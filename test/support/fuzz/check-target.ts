import * as fc from 'fast-check';
import type { FuzzTarget } from './target.ts';

export interface Finding {
	/** Gives the same cases again: `--seed`. */
	readonly seed: number;
	readonly cases: number;
	/** The smallest input found that fails, as text and as octets. */
	readonly input: string;
	readonly octets: readonly number[];
	readonly error: string;
}

/**
 * Tries a reader with `cases` inputs, fewer if each is heavy. Null: it held for all of them.
 *
 * @param began called before each case, so that the caller can see a case that does not end
 */
export async function checkTarget(
	target: FuzzTarget,
	{ seed, cases }: { readonly seed: number; readonly cases: number },
	began: () => void = () => {},
): Promise<Finding | null> {
	const outcome = await fc.check(
		fc.asyncProperty(target.input, async (input) => {
			began();
			await target.read(input);
		}),
		{ seed, numRuns: casesOf(target, cases) },
	);
	if (!outcome.failed) return null;
	const [octets = new Uint8Array()] = outcome.counterexample ?? [];
	const { errorInstance: error } = outcome;
	return {
		seed,
		cases: outcome.numRuns,
		input: new TextDecoder().decode(octets),
		octets: [...octets],
		error: error instanceof Error ? (error.stack ?? error.message) : String(error),
	};
}

/** How many cases are tried where a light reader gets `cases`. */
export function casesOf({ heavy = 1 }: FuzzTarget, cases: number): number {
	return Math.ceil(cases / heavy);
}
