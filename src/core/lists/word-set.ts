/**
 * A set of words that is built when it is first asked. The lists live in one string each, because a
 * Worker parses its whole bundle at every cold start, and a string costs nothing there.
 */
export function lazySet(text: string): () => ReadonlySet<string> {
	let set: ReadonlySet<string> | null = null;
	return () => (set ??= new Set(text.trim().split(/\s+/)));
}

/** Whether the set holds the domain or one of its parents. A top-level domain alone is never asked for. */
export function hasDomainOrParent(set: ReadonlySet<string>, domain: string): boolean {
	let rest = domain.toLowerCase();
	while (rest.includes('.')) {
		if (set.has(rest)) return true;
		rest = rest.slice(rest.indexOf('.') + 1);
	}
	return false;
}
