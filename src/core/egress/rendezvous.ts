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
		return { choice, weight: fnv1a(`${key} ${number} ${choice.label}`) };
	});
	return weighed.toSorted((a, b) => b.weight - a.weight).map(({ choice }) => choice);
}

/** FNV-1a, 32 bits, with a final mix: similar names must not land together. */
function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return (hash ^ (hash >>> 13)) >>> 0;
}
