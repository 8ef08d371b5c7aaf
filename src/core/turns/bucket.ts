import { MINUTE_MS } from '../../lib/time.ts';

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens, which may change at any time. It holds two
 * portions where it can, and the last one is for those who come first. The oldest token is refilled first. Times are epoch
 * milliseconds.
 */
export class Bucket {
	readonly #portion: number;
	readonly #perMinute: (now: number) => number;
	/** Tokens that were taken at once, and are not refilled at `#at`; the oldest come first. */
	#taken: { missing: number }[] = [];
	#at = 0;

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
		this.#refill(now);
		const capacity = this.#capacity(now);
		const room = isFirst ? capacity : Math.min(capacity, Math.max(this.#portion, capacity - this.#portion));
		const free = room - this.#taken.reduce((sum, { missing }) => sum + missing, 0) + 1e-9;
		const lacking = Math.min(count, Math.floor(room)) - free;
		return { free: Math.floor(free), waitMs: lacking <= 0 ? 0 : Math.ceil(lacking / this.perMs(now)) };
	}

	/** Returns what tells how many were used: of the rest, those that are not refilled yet are as if never taken. */
	take(count: number, now: number): (used: number, now: number) => void {
		this.#refill(now);
		const tokens = { missing: count };
		this.#taken.push(tokens);
		return (used, end) => {
			this.#refill(end);
			if (used > count) this.#taken.push({ missing: used - count });
			else tokens.missing -= Math.min(count - used, tokens.missing);
		};
	}

	#capacity(now: number): number {
		const perMinute = this.#perMinute(now);
		return Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * this.#portion), (perMinute * 2) / 3);
	}

	#refill(now: number): void {
		let back = Math.max(0, now - this.#at) * this.perMs(now);
		this.#at = Math.max(this.#at, now);
		for (const tokens of this.#taken) {
			const part = Math.min(back, tokens.missing);
			tokens.missing -= part;
			back -= part;
		}
		this.#taken = this.#taken.filter(({ missing }) => missing > 0);
	}
}
