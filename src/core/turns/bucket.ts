const MINUTE_MS = 60_000;
// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens. It holds two portions where it can, and the
 * last one is for those who come first. The budget is an argument, because it may change at any time; so is the time.
 */
export class Bucket {
	readonly #portion: number;
	/** Tokens taken and not refilled yet, at `#at` (epoch ms). */
	#taken = 0;
	#at = 0;
	/** All that were ever taken. */
	#ever = 0;

	constructor(portion: number) {
		this.#portion = portion;
	}

	/** Tokens that come back each millisecond. */
	perMs(perMinute: number): number {
		return (perMinute * BUDGET_SHARE - this.#capacity(perMinute)) / MINUTE_MS;
	}

	/** The most that it ever has for such a taker. */
	mostOf(perMinute: number, isFirst: boolean): number {
		return Math.floor(this.#roomFor(perMinute, isFirst));
	}

	/** How many whole tokens there are for such a taker. */
	free(perMinute: number, now: number, isFirst: boolean): number {
		return Math.floor(this.#roomFor(perMinute, isFirst) - this.#missing(perMinute, now) + 1e-9);
	}

	/** Milliseconds until `count` tokens are there, if no other takes any. More than fit count as all that fit. */
	waitMs(count: number, perMinute: number, now: number, isFirst: boolean): number {
		const least = Math.min(count, this.mostOf(perMinute, isFirst));
		const lacking = this.#missing(perMinute, now) + least - this.#roomFor(perMinute, isFirst);
		return lacking <= 1e-9 ? 0 : Math.ceil(lacking / this.perMs(perMinute));
	}

	isFull(perMinute: number, now: number): boolean {
		return this.#missing(perMinute, now) === 0;
	}

	/** Returns their place, by which some can be given back. */
	take(count: number, perMinute: number, now: number): number {
		this.#taken = this.#missing(perMinute, now) + count;
		this.#at = Math.max(this.#at, now);
		this.#ever += count;
		return this.#ever;
	}

	/** Only what has not come back yet by itself: the oldest comes back first. */
	giveBack(count: number, place: number, perMinute: number, now: number): void {
		const missing = this.#missing(perMinute, now);
		const back = Math.max(0, Math.min(count, missing - (this.#ever - place)));
		this.#taken = missing - back;
		this.#at = Math.max(this.#at, now);
	}

	#capacity(perMinute: number): number {
		return Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * this.#portion), (perMinute * 2) / 3);
	}

	#roomFor(perMinute: number, isFirst: boolean): number {
		const capacity = this.#capacity(perMinute);
		const reserved = Math.max(0, Math.min(this.#portion, capacity - this.#portion));
		return isFirst ? capacity : capacity - reserved;
	}

	#missing(perMinute: number, now: number): number {
		return Math.max(0, this.#taken - Math.max(0, now - this.#at) * this.perMs(perMinute));
	}
}
