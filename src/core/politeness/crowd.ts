/**
 * Places that are divided among those who are there: a share may hold as many as are free. Alone it has half of them,
 * beside one other a third; so a new share always finds a place, however long the questions of the others take.
 */
export class Crowd {
	readonly #places: number;
	readonly #held = new Map<string, number>();
	#taken = 0;

	constructor(places: number) {
		this.#places = places;
	}

	/** Takes a place, and returns what leaves it; null: the share holds its part. */
	enter(share: string): (() => void) | null {
		const held = this.#held.get(share) ?? 0;
		if (held >= this.#places - this.#taken) return null;
		this.#held.set(share, held + 1);
		this.#taken += 1;
		return () => {
			const left = (this.#held.get(share) ?? 1) - 1;
			if (left === 0) this.#held.delete(share);
			else this.#held.set(share, left);
			this.#taken -= 1;
		};
	}
}
