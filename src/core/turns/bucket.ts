import { MINUTE_MS } from '../../lib/time.ts';

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

interface Taken {
	readonly share: string;
	missing: number;
}

/**
 * A token bucket of which any sixty seconds see at most `perMinute` tokens, which may change at any time. It holds two
 * portions where it can, and the last one is for those who come first. The oldest token is refilled first. Where queues
 * come to it that do not know of each other, a share takes no more than it leaves: each newcomer finds some. Times are
 * epoch milliseconds.
 */
export class Bucket {
	readonly #portion: number;
	readonly #isOfMany: boolean;
	readonly #perMinute: (now: number) => number;
	/** Tokens that were taken at once, and are not refilled at `#at`; the oldest come first. */
	#taken: Taken[] = [];
	#at = 0;

	/** @param isOfMany queues come to it that do not know of each other */
	constructor(portion: number, isOfMany: boolean, perMinute: (now: number) => number) {
		this.#portion = portion;
		this.#isOfMany = isOfMany;
		this.#perMinute = perMinute;
	}

	/** Tokens that are refilled each millisecond. */
	perMs(now: number): number {
		return (this.#perMinute(now) * BUDGET_SHARE - this.#capacity(now)) / MINUTE_MS;
	}

	/** How many whole tokens a share may have, and how long it takes at most until `count` are. More than fit count as all that fit. */
	look(count: number, share: string, isFirst: boolean, now: number) {
		this.#refill(now);
		const capacity = this.#capacity(now);
		const most = isFirst ? capacity : Math.min(capacity, Math.max(this.#portion, capacity - this.#portion));
		// Half of what there is: a token that another share has taken is half a token less.
		const isFair = this.#isOfMany && !isFirst;
		const [room, ofOthers] = isFair ? [(capacity + 1) / 2, 0.5] : [most, 1];
		const taken = this.#taken.reduce(
			(sum, tokens) => sum + tokens.missing * (tokens.share === share ? 1 : ofOthers),
			0,
		);
		const free = room - taken + 1e-9;
		const lacking = Math.max(0, Math.min(count, Math.floor(room)) - free);
		return { free: Math.floor(free), waitMs: Math.ceil(lacking / ofOthers / this.perMs(now)) };
	}

	/** Returns what tells how many were used: of the rest, those that are not refilled yet are as if never taken. */
	take(count: number, share: string, now: number): (used: number, now: number) => void {
		this.#refill(now);
		const tokens = { share, missing: count };
		this.#taken.push(tokens);
		return (used, end) => {
			this.#refill(end);
			if (used > count) this.#taken.push({ share, missing: used - count });
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
