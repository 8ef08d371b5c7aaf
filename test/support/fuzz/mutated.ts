import * as fc from 'fast-check';

/** One change to some octets: where, what kind, and with what. */
type Change = readonly [kind: number, at: number, octet: number, token: number];

const CHANGES_MAX = 8;
const REPEATS_MAX = 300;
const KINDS = 7;

/**
 * Octets that are nearly right: a valid input with a few changes (octets flipped, taken out, put in, repeated, cut; words
 * of the format put where they do not belong), and now and then octets from nowhere. Nearly right is what gets deepest
 * into a reader.
 */
export function mutated(
	seeds: readonly (string | Uint8Array)[],
	words: readonly string[] = [],
): fc.Arbitrary<Uint8Array> {
	const encoder = new TextEncoder();
	const inputs = seeds.map((seed) => (typeof seed === 'string' ? encoder.encode(seed) : seed));
	const tokens = ['', '\r\n', '\0', '\u{10ffff}', '🧪', 'é', ...words].map((word) => encoder.encode(word));
	const change = fc.tuple(fc.nat(KINDS - 1), fc.nat(), fc.nat(255), fc.nat(tokens.length - 1));
	const nearly = fc
		.tuple(fc.constantFrom(...inputs), fc.array(change, { maxLength: CHANGES_MAX }))
		.map(([input, changes]) => changes.reduce((bytes, one) => changed(bytes, one, tokens), input));
	return fc.oneof(
		{ weight: 9, arbitrary: nearly },
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
	);
}

function changed(
	bytes: Uint8Array,
	[kind, place, octet, token]: Change,
	tokens: readonly Uint8Array[],
): Uint8Array {
	const at = place % (bytes.length + 1);
	const before = bytes.subarray(0, at);
	const after = bytes.subarray(at);
	switch (kind) {
		case 0:
			return joined(before, Uint8Array.of(octet), after.subarray(1));
		case 1:
			return joined(before, Uint8Array.of(octet), after);
		case 2:
			return joined(before, after.subarray(1 + (octet % 16)));
		case 3:
			return before;
		case 4:
			return joined(before, tokens[token] ?? after, after);
		case 5: {
			// A piece of it, many times over.
			const piece = after.subarray(0, 1 + (octet % 8));
			return joined(before, ...Array.from({ length: (place % REPEATS_MAX) + 1 }, () => piece), after);
		}
		default:
			return joined(after, before);
	}
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}
