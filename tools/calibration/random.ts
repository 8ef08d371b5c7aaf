/** Random numbers that a seed repeats (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** From 0 up to, and not including, 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** How many of `count` fall to each of so many hands. */
	dealt(count: number, hands: number): readonly number[] {
		const dealt = Array.from({ length: hands }, () => 0);
		for (let index = 0; index < count; index += 1) {
			const hand = Math.floor(this.next() * hands);
			dealt[hand] = (dealt[hand] ?? 0) + 1;
		}
		return dealt;
	}

	/** A copy in random order. */
	shuffled<T>(values: readonly T[]): T[] {
		return values
			.map((value) => ({ value, at: this.next() }))
			.toSorted((a, b) => a.at - b.at)
			.map(({ value }) => value);
	}
}
