import { MINUTE_MS } from '../../lib/time.ts';

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

/** Tokens that were taken at once: how many of them are not refilled yet. */
export interface Tokens {
	missing: number;
}

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens, which may change at any time. It holds two
 * portions where it can, and the last one is for those who come first. The oldest token is refilled first. Times are epoch
 * milliseconds.
 */
export class Bucket {
	readonly #portion: number;
	readonly #perMinute: (now: number) => number;
	/** The tokens that are not refilled at `#at`, oldest first. */
	#taken: Tokens[] = [];
	#at = 0;

	constructor(portion: number, perMinute: (now: number) => number) {
		this.#portion = portion;
		this.#perMinute = perMinute;
	}

	/** Tokens that are refilled each millisecond. */
	perMs(now: number): number {
		return (this.#perMinute(now) * BUDGET_SHARE - this.#capacity(now)) / MINUTE_MS;
	}

	/** The most whole tokens that it ever has for such a taker. */
	most(now: number, isFirst: boolean): number {
		return Math.floor(this.#room(now, isFirst));
	}

	/** How many whole tokens there are for such a taker. */
	free(now: number, isFirst: boolean): number {
		return Math.floor(this.#room(now, isFirst) - this.#missing(now) + 1e-9);
	}

	/** Milliseconds until `count` tokens are there, if no other takes any. More than fit count as all that fit. */
	waitMs(count: number, now: number, isFirst: boolean): number {
		const least = Math.min(count, this.most(now, isFirst));
		const lacking = this.#missing(now) + least - this.#room(now, isFirst);
		return lacking <= 1e-9 ? 0 : Math.ceil(lacking / this.perMs(now));
	}

	take(count: number, now: number): Tokens {
		this.#refill(now);
		const tokens = { missing: count };
		if (count > 0) this.#taken.push(tokens);
		return tokens;
	}

	/** Gives some back: only those that are not refilled yet. */
	giveBack(count: number, tokens: Tokens, now: number): void {
		this.#refill(now);
		tokens.missing -= Math.min(count, tokens.missing);
	}

	#capacity(now: number): number {
		const perMinute = this.#perMinute(now);
		return Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * this.#portion), (perMinute * 2) / 3);
	}

	#room(now: number, isFirst: boolean): number {
		const capacity = this.#capacity(now);
		return isFirst ? capacity : Math.min(capacity, Math.max(this.#portion, capacity - this.#portion));
	}

	#missing(now: number): number {
		const missing = this.#taken.reduce((sum, tokens) => sum + tokens.missing, 0);
		return Math.max(0, missing - this.#refilled(now));
	}

	#refilled(now: number): number {
		return Math.max(0, now - this.#at) * this.perMs(now);
	}

	#refill(now: number): void {
		let back = this.#refilled(now);
		this.#at = Math.max(this.#at, now);
		for (const tokens of this.#taken) {
			const part = Math.min(back, tokens.missing);
			tokens.missing -= part;
			back -= part;
		}
		this.#taken = this.#taken.filter(({ missing }) => missing > 0);
	}
}
