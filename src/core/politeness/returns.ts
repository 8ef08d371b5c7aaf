/**
 * When shares that were refused may ask again: the questions of one share one after the other, as fast as its part of the
 * budget goes, so that they don't all come at once. A promise reserves nothing.
 */
export class Returns {
	/** Up to when each share's part of the budget is promised, epoch ms. */
	readonly #ends = new Map<string, number>();

	/** The end of a share's promises, epoch ms; 0: there are none. */
	endOf(share: string): number {
		return this.#ends.get(share) ?? 0;
	}

	/**
	 * The moment for a share to ask again, epoch ms.
	 *
	 * @param from there is nothing before
	 * @param takesMs the question takes so long if the share has the whole budget
	 */
	next(share: string, now: number, from: number, takesMs: number): number {
		for (const [other, end] of this.#ends) if (end <= now) this.#ends.delete(other);
		const at = Math.max(from, this.endOf(share));
		this.#ends.set(share, at);
		this.#ends.set(share, at + Math.ceil(takesMs * this.#ends.size));
		return at;
	}
}
