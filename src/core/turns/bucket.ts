import { MINUTE_MS } from '../../lib/time.ts';

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

interface Taken {
	readonly tokens: number;
	readonly at: number;
}

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens, which may change at any time. It holds two
 * portions where it can, and the last one is for those who come first. Times are epoch milliseconds.
 */
export class Bucket {
	readonly #portion: number;
	readonly #perMinute: (now: number) => number;
	/** The tokens that were missing when the last turn was taken before the first one that is not settled. */
	#settled: Taken = { tokens: 0, at: 0 };
	/** By the turns since, in their order. */
	readonly #taken: (Taken & { readonly isSettled: boolean })[] = [];

	constructor(portion: number, perMinute: (now: number) => number) {
		this.#portion = portion;
		this.#perMinute = perMinute;
	}

	/** Tokens that are refilled each millisecond. */
	perMs(now: number): number {
		return (this.#perMinute(now) * BUDGET_SHARE - this.#capacity(now)) / MINUTE_MS;
	}

	/** How many whole tokens there are, and how long it takes until `count` are. More than fit count as all that fit. */
	look(count: number, isFirst: boolean, now: number): { readonly free: number; readonly waitMs: number } {
		const capacity = this.#capacity(now);
		const room = isFirst ? capacity : Math.min(capacity, Math.max(this.#portion, capacity - this.#portion));
		const free = room - this.#missing(now) + 1e-9;
		const lacking = Math.min(count, Math.floor(room)) - free;
		return { free: Math.floor(free), waitMs: lacking <= 0 ? 0 : Math.ceil(lacking / this.perMs(now)) };
	}

	/** Returns what tells how many were used: it is then as if the rest had never been taken. */
	take(tokens: number, at: number): (used: number) => void {
		const one = { tokens, at, isSettled: false };
		this.#taken.push(one);
		return (used) => void Object.assign(one, { tokens: used, isSettled: true });
	}

	#capacity(now: number): number {
		const perMinute = this.#perMinute(now);
		return Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * this.#portion), (perMinute * 2) / 3);
	}

	/** The tokens that were taken, and are not refilled. */
	#missing(now: number): number {
		const perMs = this.perMs(now);
		const plus = (missing: Taken, { tokens, at }: Taken): Taken => {
			const refilled = (at - missing.at) * perMs;
			return { tokens: Math.max(0, missing.tokens - refilled) + tokens, at };
		};
		for (; this.#taken[0]?.isSettled === true; this.#taken.shift())
			this.#settled = plus(this.#settled, this.#taken[0]);
		return plus(this.#taken.reduce(plus, this.#settled), { tokens: 0, at: now }).tokens;
	}
}
