/** The rows of a table that is written by what they have in common: `{ a: [1, 2] }` is `a 1` and `a 2`. */
export function rowsBy<K extends string, V>(table: Readonly<Partial<Record<K, readonly V[]>>>): [K, V][] {
	return Object.entries(table).flatMap(([key, values]) =>
		(values as readonly V[]).map((value): [K, V] => [key as K, value]),
	);
}
