/**
 * A set of words that is built on first use. Each list is one string, because a Worker parses its whole
 * bundle at every cold start, and strings are the cheapest to parse.
 */
export function lazySet(text: string): () => ReadonlySet<string> {
	let set: ReadonlySet<string> | null = null;
	return () => (set ??= new Set(text.trim().split(/\s+/)));
}

/** Whether the set holds the domain or one of its parents. A top-level domain alone never matches. */
export function hasDomainOrParent(set: ReadonlySet<string>, domain: string): boolean {
	let rest = domain.toLowerCase();
	while (rest.includes('.')) {
		if (set.has(rest)) return true;
		rest = rest.slice(rest.indexOf('.') + 1);
	}
	return false;
}
