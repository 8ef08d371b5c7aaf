/** A question that waits for its turn. */
export interface Waiter {
	/** The share whose turns are counted together, with the weight of its turns. */
	readonly share: string;
	readonly weight: number;
	/** The account within the share. */
	readonly flow: string;
	/** Recipients that are asked about when the turn comes. */
	readonly cost: number;
}

// Shares and accounts that wait for nothing are forgotten beyond this.
const TAGS_MAX = 1_000;

/**
 * A weighted fair queue. Each share has a tag, which grows by what it is served, divided by its weight. The question comes
 * first that would leave its share with the lowest tag; within a share, that of the account that was served least. A share
 * that begins to wait starts at the tag served last: no share saves up turns, and thousands of questions of one share cost
 * another share nothing.
 */
export class FairQueue<W extends Waiter> {
	/** In the order in which they came. */
	#waiting: readonly W[] = [];
	readonly #shares = new Tags();
	readonly #flows = new Tags();

	get size(): number {
		return this.#waiting.length;
	}

	/** How many of a share wait. */
	sizeOf(share: string): number {
		return this.#waiting.reduce((sum, waiter) => sum + (waiter.share === share ? 1 : 0), 0);
	}

	add(waiter: W): void {
		if (!this.#waiting.some(({ share }) => share === waiter.share)) this.#shares.begin(waiter.share);
		if (!this.#waiting.some(({ flow }) => flow === waiter.flow)) this.#flows.begin(waiter.flow);
		this.#waiting = [...this.#waiting, waiter];
		if (this.#shares.size + this.#flows.size > TAGS_MAX) {
			this.#shares.forget(new Set(this.#waiting.map(({ share }) => share)));
			this.#flows.forget(new Set(this.#waiting.map(({ flow }) => flow)));
		}
	}

	remove(waiter: W): void {
		this.#waiting = this.#waiting.filter((other) => other !== waiter);
	}

	/** The waiter is served with so many recipients. */
	serve(waiter: W, recipients: number): void {
		this.#shares.serve(waiter.share, recipients / waiter.weight);
		this.#flows.serve(waiter.flow, recipients);
		this.remove(waiter);
	}

	/** All, whose turn it is first. */
	inTurn(): readonly W[] {
		const turns = this.#waiting.map((waiter) => {
			const end = this.#shares.of(waiter.share) + waiter.cost / waiter.weight;
			return { waiter, end, flow: this.#flows.of(waiter.flow) };
		});
		return turns.toSorted((a, b) => a.end - b.end || a.flow - b.flow).map(({ waiter }) => waiter);
	}

	/** How much is served before the waiter's turn if no other comes: recipients, or what `measure` counts. */
	before(waiter: W, measure: (one: W) => number = ({ cost }) => cost): number {
		const ahead = new Map<string, { sum: number; readonly weight: number }>();
		for (const other of this.#waiting) {
			if (other === waiter) break;
			const known = ahead.get(other.share) ?? { sum: 0, weight: other.weight };
			known.sum += measure(other);
			ahead.set(other.share, known);
		}
		const before = ahead.get(waiter.share)?.sum ?? 0;
		ahead.delete(waiter.share);
		// Another share has turns by its weight, until all of this share that is ahead is served.
		const fair = (before + measure(waiter)) / waiter.weight;
		return [...ahead.values()].reduce((sum, of) => sum + Math.min(of.sum, fair * of.weight), before);
	}
}

/** How far each name was served. */
class Tags {
	readonly #tags = new Map<string, number>();
	/** The tag that was served last. */
	#level = 0;

	get size(): number {
		return this.#tags.size;
	}

	of(name: string): number {
		return this.#tags.get(name) ?? this.#level;
	}

	begin(name: string): void {
		this.#tags.set(name, Math.max(this.of(name), this.#level));
	}

	serve(name: string, cost: number): void {
		const tag = this.of(name);
		this.#level = Math.max(this.#level, tag);
		this.#tags.set(name, tag + cost);
	}

	forget(waiting: ReadonlySet<string>): void {
		for (const [name, tag] of this.#tags)
			if (tag <= this.#level && !waiting.has(name)) this.#tags.delete(name);
	}
}
