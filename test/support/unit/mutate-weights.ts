/** Weight tables by name: objects and arrays that hold numbers, however deep. */
export type WeightTables = Readonly<Record<string, object>>;

interface Weight {
	readonly name: string;
	readonly holder: Record<string, unknown>;
	readonly key: string;
	readonly value: number;
}

/**
 * Moves each weight of the tables up and down by `step`, one at a time, checks whether a test notices, and restores it.
 * Returns the unnoticed changes, as `TABLE.weight +5`. Tables are unfrozen module-level objects of the code under test.
 *
 * @param isNoticed whether any vector has an unexpected result; a throw counts, too
 */
export function unnoticedMutations(
	tables: WeightTables,
	step: number,
	isNoticed: () => boolean,
): readonly string[] {
	const weights = Object.entries(tables).flatMap(([name, table]) => weightsOf(name, table));
	if (weights.length === 0) throw new Error('There is no weight in these tables');
	if (isNoticed()) throw new Error('A vector fails before any weight was moved');
	return weights.flatMap((weight) =>
		[step, -step]
			.filter((by) => !noticed(weight, by, isNoticed))
			.map((by) => `${weight.name} ${by > 0 ? '+' : ''}${by}`),
	);
}

function noticed({ holder, key, value }: Weight, by: number, isNoticed: () => boolean): boolean {
	holder[key] = value + by;
	try {
		return isNoticed();
	} catch {
		return true;
	} finally {
		holder[key] = value;
	}
}

function weightsOf(name: string, table: object): readonly Weight[] {
	const holder = table as Record<string, unknown>;
	return Object.entries(holder).flatMap(([key, value]): readonly Weight[] => {
		const inner = `${name}.${key}`;
		if (typeof value === 'number') return [{ name: inner, holder, key, value }];
		return typeof value === 'object' && value !== null ? weightsOf(inner, value) : [];
	});
}
