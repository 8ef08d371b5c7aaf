/**
 * A JSON value's fields with their types, one a line and sorted; of a list, those of all its elements.
 *
 * @param without paths that are left out
 */
export function shapeOf(values: readonly unknown[], without: RegExp): string {
	const types = new Map<string, Set<string>>();
	for (const value of values) note(types, '', value);
	return [...types]
		.filter(([path]) => !without.test(path))
		.map(([path, found]) => `${path}: ${[...found].toSorted().join(' | ')}\n`)
		.toSorted()
		.join('');
}

function note(types: Map<string, Set<string>>, path: string, value: unknown): void {
	const children = Array.isArray(value)
		? value.map((element: unknown) => [`${path}[]`, element] as const)
		: typeof value === 'object' && value !== null
			? Object.entries(value).map(([name, child]) => [nameOf(path, name), child as unknown] as const)
			: null;
	const type = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
	if (children === null || children.length === 0 || type === 'list')
		types.set(path, (types.get(path) ?? new Set()).add(type));
	for (const [childPath, child] of children ?? []) note(types, childPath, child);
}

/** Names that are data, such as days, ids and versions, are one. */
function nameOf(path: string, name: string): string {
	const word = /\d/.test(name) ? '*' : name;
	return path === '' ? word : `${path}.${word}`;
}
