/** How fast a bucket fills, and how much it holds. */
export interface Rate {
	readonly capacity: number;
	/** Tokens a millisecond. */
	readonly perMs: number;
	/** Tokens that only the callers who come first may take. */
	readonly reserved: number;
}

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

/**
 * The rate at which any sixty seconds see at most `perMinute` tokens.
 *
 * @param portion tokens that one taker needs at once: the bucket holds them twice where the budget allows
 */
export function rateOf(perMinute: number, portion: number): Rate {
	const capacity = Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * portion), (perMinute * 2) / 3);
	const perMs = (perMinute * BUDGET_SHARE - capacity) / 60_000;
	return { capacity, perMs, reserved: Math.max(0, Math.min(portion, capacity - portion)) };
}

/** A token bucket. Its rate is an argument, because a budget may change at any time; so is the time (epoch ms). */
export class TokenBucket {
	/** Tokens taken and not refilled yet, at `#at`. */
	#taken = 0;
	#at = 0;

	/** How many whole tokens are there above what stays reserved. */
	free(rate: Rate, now: number, isFirst: boolean): number {
		return Math.floor(roomOf(rate, isFirst) - this.#missing(rate, now) + 1e-9);
	}

	/** Milliseconds until `count` tokens are there, if no other takes any. More than fit count as all that fit. */
	waitMs(count: number, rate: Rate, now: number, isFirst: boolean): number {
		const room = roomOf(rate, isFirst);
		const lacking = this.#missing(rate, now) + Math.min(count, Math.floor(room)) - room;
		return lacking <= 1e-9 ? 0 : Math.ceil(lacking / rate.perMs);
	}

	take(count: number, rate: Rate, now: number): void {
		this.#taken = this.#missing(rate, now) + count;
		this.#at = Math.max(this.#at, now);
	}

	/** Returns tokens that were taken and not used. */
	giveBack(count: number): void {
		this.#taken = Math.max(0, this.#taken - count);
	}

	#missing({ perMs }: Rate, now: number): number {
		return Math.max(0, this.#taken - Math.max(0, now - this.#at) * perMs);
	}
}

function roomOf({ capacity, reserved }: Rate, isFirst: boolean): number {
	return isFirst ? capacity : capacity - reserved;
}
