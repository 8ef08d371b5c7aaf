import type { Asker } from './mail-host.ts';

/** Somebody who waits for a connection and for a part of the budget. */
export interface Waiter {
	readonly asker: Asker;
	/** Whoever has the lower one comes first. */
	readonly rank: number;
	/** Recipients that are asked about at once when the turn comes. */
	readonly recipients: number;
	/** Epoch ms. */
	readonly since: number;
}

// Of askers who wait for nothing, more need not be remembered.
const ASKERS_MAX = 1_000;
// So long all of a rank may be passed over by those who come first; then they come first no more, until one of them is
// served. One by one would be too often: where there is always more than there is budget for, all of a list wait long.
const MOVES_UP_MS = 20_000;
// Where nobody of a rank asked for so long, nobody was passed over.
const ASKED_LATELY_MS = 60_000;

/**
 * Who comes next: the lower rank; within a rank whoever was served least of all who wait, so that thousands of questions
 * of one account cost another one nothing; of one asker, the question that came first. No rank waits for ever: one
 * of which nobody was served for long moves up.
 */
export class FairQueue<W extends Waiter> {
	/** In the order in which they came. */
	#waiting: readonly W[] = [];
	/** Recipients that each asker was served since the queue was last empty. */
	readonly #served = new Map<Asker, number>();
	/** Of whoever was served last: who comes anew has nothing to catch up on. */
	#level = 0;
	/** When somebody of the rank was served last, or began to ask; epoch ms. */
	readonly #servedAt = new Map<number, number>();
	readonly #askedAt = new Map<number, number>();

	get size(): number {
		return this.#waiting.length;
	}

	/** How many of one asker's wait. */
	sizeOf(asker: Asker): number {
		return this.#waiting.filter((waiter) => waiter.asker === asker).length;
	}

	add(waiter: W): void {
		const { rank, since } = waiter;
		if (since - (this.#askedAt.get(rank) ?? -Infinity) > ASKED_LATELY_MS) this.#servedAt.set(rank, since);
		this.#askedAt.set(rank, since);
		const isNew = this.sizeOf(waiter.asker) === 0;
		if (isNew) this.#served.set(waiter.asker, Math.max(this.#servedOf(waiter.asker), this.#level));
		this.#waiting = [...this.#waiting, waiter];
		if (this.#served.size > ASKERS_MAX) this.#forgetAskers();
	}

	/** They wait no longer. */
	remove(waiter: W): void {
		this.#waiting = this.#waiting.filter((other) => other !== waiter);
		if (this.#waiting.length > 0) return;
		this.#served.clear();
		this.#level = 0;
	}

	/** They are served at `now`. */
	serve(waiter: W, recipients: number, now: number): void {
		this.#servedAt.set(waiter.rank, now);
		this.#level = Math.max(this.#level, this.#servedOf(waiter.asker));
		this.#served.set(waiter.asker, this.#servedOf(waiter.asker) + recipients);
		this.remove(waiter);
	}

	/** All, whose turn it is first. */
	inTurn(now: number): readonly W[] {
		return this.#waiting.toSorted(
			(a, b) =>
				this.rankOf(a, now) - this.rankOf(b, now) || this.#servedOf(a.asker) - this.#servedOf(b.asker),
		);
	}

	/**
	 * How much comes before this one's turn if nobody else comes, also if this one does not wait: recipients, or what
	 * `weigh` counts.
	 */
	before(waiter: W, weigh: (one: W) => number = ({ recipients }) => recipients): number {
		const ahead = new Map<Asker, number>();
		for (const other of this.#waiting) {
			if (other === waiter) break;
			// Who moved up takes one turn, and then others of the rank move down again.
			if (other.rank <= waiter.rank) ahead.set(other.asker, (ahead.get(other.asker) ?? 0) + weigh(other));
		}
		const own = ahead.get(waiter.asker) ?? 0;
		ahead.delete(waiter.asker);
		// Of each other asker no more than of this one: so it goes round.
		const others = [...ahead.values()].reduce((sum, of) => sum + Math.min(of, own + weigh(waiter)), 0);
		return own + others;
	}

	/** Those who wait for nothing and would catch up on nothing. */
	#forgetAskers(): void {
		const waiting = new Set(this.#waiting.map(({ asker }) => asker));
		for (const [asker, served] of this.#served)
			if (served <= this.#level && !waiting.has(asker)) this.#served.delete(asker);
	}

	#servedOf(asker: Asker): number {
		return this.#served.get(asker) ?? 0;
	}

	/** The waiter's rank, which is a lower one once all of it were passed over for long. */
	rankOf({ rank, since }: W, now: number): number {
		const passedOverMs = now - (this.#servedAt.get(rank) ?? since);
		return Math.max(0, rank - Math.floor(passedOverMs / MOVES_UP_MS));
	}
}
