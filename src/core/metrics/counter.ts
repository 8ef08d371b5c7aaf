/** Counts by key. */
export class Counter {
	readonly #counts = new Map<string, number>();

	/** Adds one, or `by`, to a key's count. */
	add(key: string, by = 1): void {
		this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
	}

	/** The largest counts. If there are more than `most`, the smallest ones are added up as `rest`. */
	largest(most: number, rest: string): readonly (readonly [key: string, count: number])[] {
		const sorted = [...this.#counts].toSorted(([, a], [, b]) => b - a);
		if (sorted.length <= most) return sorted;
		const kept = sorted.slice(0, most - 1);
		const others = sorted.slice(most - 1).reduce((sum, [, count]) => sum + count, 0);
		return [...kept, [rest, others]];
	}
}
