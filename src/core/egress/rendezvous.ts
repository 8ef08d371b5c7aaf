import { fnv1a } from '../../lib/fnv1a.ts';

/**
 * Orders egresses, or probers, for a key (a domain or a mailbox) by rendezvous hashing. A key keeps its first choice,
 * so that greylisting servers see the same client again. Removing a choice moves only the keys that had it.
 */
export function orderByRendezvous<T extends { readonly label: string }>(
	choices: readonly T[],
	key: string,
): readonly T[] {
	// Equal labels are numbered among themselves, not by position: a position would change with the list.
	const seen = new Map<string, number>();
	const weighed = choices.map((choice) => {
		const number = seen.get(choice.label) ?? 0;
		seen.set(choice.label, number + 1);
		return { choice, weight: weightOf(`${key} ${number} ${choice.label}`) };
	});
	return weighed.toSorted((a, b) => b.weight - a.weight).map(({ choice }) => choice);
}

/** A hash with a final mix, so that similar names are spread. */
function weightOf(text: string): number {
	const hash = fnv1a(text);
	const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return (mixed ^ (mixed >>> 13)) >>> 0;
}
