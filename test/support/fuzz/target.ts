import * as fc from 'fast-check';
import { ServiceError } from '../../../src/errors.ts';

/** A reader of what strangers send. */
export interface FuzzTarget {
	readonly name: string;
	readonly input: fc.Arbitrary<Uint8Array>;
	/** Reads the input and asserts what holds for every input. A throw is a finding. */
	readonly read: (input: Uint8Array) => unknown;
	/** A case packs an archive: so many times fewer of them are tried. */
	readonly heavy?: number;
}

/** The reader may refuse the input, with a reason for its sender; anything else that it throws is a finding. */
export function orRefused<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (error instanceof ServiceError) return null;
		throw error;
	}
}

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
	const property = fc.asyncProperty(target.input, async (input) => {
		began();
		await target.read(input);
	});
	const outcome = await fc.check(property, { seed, numRuns: casesOf(target, cases) });
	if (!outcome.failed) return null;
	const [octets = new Uint8Array()] = outcome.counterexample ?? [];
	const { errorInstance: error, numRuns } = outcome;
	const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return { seed, cases: numRuns, input: new TextDecoder().decode(octets), octets: [...octets], error: said };
}

/** How many cases are tried where a light reader gets `cases`. */
export function casesOf({ heavy = 1 }: FuzzTarget, cases: number): number {
	return Math.ceil(cases / heavy);
}

const CHANGES_MAX = 8;
const REPEATS_MAX = 300;

/** Changes to some octets at a place: octets flipped, put in, taken out, repeated, cut; words where they do not belong. */
const CHANGES: readonly ((at: {
	readonly before: Uint8Array;
	readonly after: Uint8Array;
	readonly octet: number;
	readonly times: number;
	readonly word: Uint8Array;
}) => readonly Uint8Array[])[] = [
	({ before, after, octet }) => [before, Uint8Array.of(octet), after.subarray(1)],
	({ before, after, octet }) => [before, Uint8Array.of(octet), after],
	({ before, after, octet }) => [before, after.subarray(1 + (octet % 16))],
	({ before }) => [before],
	({ before, after, word }) => [before, word, after],
	({ before, after, octet, times }) => {
		const piece = after.subarray(0, 1 + (octet % 8));
		return [before, ...Array.from({ length: times }, () => piece), after];
	},
	({ before, after }) => [after, before],
];

/**
 * Octets that are nearly right: a valid input with a few changes, and now and then octets from nowhere. Nearly right is what
 * gets deepest into a reader.
 */
export function mutated(
	seeds: readonly (string | Uint8Array)[],
	words: readonly string[] = [],
): fc.Arbitrary<Uint8Array> {
	const inputs = seeds.map((seed) => Buffer.from(seed as string));
	const tokens = ['', '\r\n', '\0', '\u{10ffff}', '🧪', 'é', ...words].map((word) => Buffer.from(word));
	const change = fc.tuple(
		fc.constantFrom(...CHANGES),
		fc.nat(),
		fc.nat(255),
		fc.constantFrom<Uint8Array>(...tokens),
	);
	const nearly = fc
		.tuple(fc.constantFrom(...inputs), fc.array(change, { maxLength: CHANGES_MAX }))
		.map(([input, changes]) =>
			changes.reduce<Uint8Array>((bytes, [apply, place, octet, word]) => {
				const at = place % (bytes.length + 1);
				const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
				return Buffer.concat(apply({ before, after, octet, times: (place % REPEATS_MAX) + 1, word }));
			}, input),
		);
	return fc.oneof(
		{ weight: 9, arbitrary: nearly },
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
	);
}
