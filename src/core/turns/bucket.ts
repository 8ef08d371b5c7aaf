import { MINUTE_MS } from '../../lib/time.ts';

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;
// A gate has fewer connections. With more turns at once, a turn has fewer of its tokens back than it left unused.
const RETURNED_MAX = 30;

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens, which may change at any time. It holds two
 * portions where it can, and the last one is for those who come first. Times are epoch milliseconds.
 */
export class Bucket {
	readonly #portion: number;
	readonly #perMinute: (now: number) => number;
	/** Tokens taken and not refilled yet, at `#at`. */
	#taken = 0;
	#at = 0;
	/** All that were ever taken. */
	#ever = 0;
	/** Tokens that were given back of late: a turn that took its own before them may end later. */
	#returned: readonly { readonly count: number; readonly place: number }[] = [];

	constructor(portion: number, perMinute: (now: number) => number) {
		this.#portion = portion;
		this.#perMinute = perMinute;
	}

	/** Tokens that are refilled each millisecond. */
	perMs(now: number): number {
		return (this.#perMinute(now) * BUDGET_SHARE - this.#capacity(now)) / MINUTE_MS;
	}

	/** The most that it ever has for such a taker. */
	most(now: number, isFirst: boolean): number {
		return Math.floor(this.#roomFor(now, isFirst));
	}

	/** How many whole tokens there are for such a taker. */
	free(now: number, isFirst: boolean): number {
		return Math.floor(this.#roomFor(now, isFirst) - this.#missing(now) + 1e-9);
	}

	/** Milliseconds until `count` tokens are there, if no other takes any. More than fit count as all that fit. */
	waitMs(count: number, now: number, isFirst: boolean): number {
		const least = Math.min(count, this.most(now, isFirst));
		const lacking = this.#missing(now) + least - this.#roomFor(now, isFirst);
		return lacking <= 1e-9 ? 0 : Math.ceil(lacking / this.perMs(now));
	}

	isFull(now: number): boolean {
		return this.#missing(now) === 0;
	}

	/** Returns the place of the tokens among all that were ever taken, by which some can be given back. */
	take(count: number, now: number): number {
		this.#taken = this.#missing(now) + count;
		this.#at = Math.max(this.#at, now);
		this.#ever += count;
		return this.#ever;
	}

	/** Only those that are not refilled yet: the oldest is refilled first. */
	giveBack(count: number, place: number, now: number): void {
		const missing = this.#missing(now);
		const returned = this.#returned.filter((one) => one.place > place);
		const later = this.#ever - place - returned.reduce((sum, one) => sum + one.count, 0);
		const given = Math.max(0, Math.min(count, missing - later));
		if (given > 0) this.#returned = [...this.#returned.slice(1 - RETURNED_MAX), { count: given, place }];
		this.#taken = missing - given;
		this.#at = Math.max(this.#at, now);
	}

	#capacity(now: number): number {
		const perMinute = this.#perMinute(now);
		return Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * this.#portion), (perMinute * 2) / 3);
	}

	#roomFor(now: number, isFirst: boolean): number {
		const capacity = this.#capacity(now);
		return isFirst ? capacity : capacity - Math.max(0, Math.min(this.#portion, capacity - this.#portion));
	}

	#missing(now: number): number {
		return Math.max(0, this.#taken - Math.max(0, now - this.#at) * this.perMs(now));
	}
}
