import { fnv1a } from '../../lib/fnv1a.ts';

/**
 * Ways out, or probers, in the order in which a key (a domain, or a mailbox) tries them. Rendezvous hashing: a key keeps
 * its first one, so that greylisting servers meet the same caller again, and one that is taken out moves only its own.
 */
export function orderByRendezvous<T extends { readonly label: string }>(
	choices: readonly T[],
	key: string,
): readonly T[] {
	// Not the place in the list, which changes with the list: only choices of one label need a number.
	const seen = new Map<string, number>();
	const weighed = choices.map((choice) => {
		const number = seen.get(choice.label) ?? 0;
		seen.set(choice.label, number + 1);
		return { choice, weight: weightOf(`${key} ${number} ${choice.label}`) };
	});
	return weighed.toSorted((a, b) => b.weight - a.weight).map(({ choice }) => choice);
}

/** With a final mix: similar names must not land together. */
function weightOf(text: string): number {
	const hash = fnv1a(text);
	const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return (mixed ^ (mixed >>> 13)) >>> 0;
}
