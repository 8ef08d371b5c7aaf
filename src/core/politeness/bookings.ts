import type { Asker } from './mail-host.ts';

const MINUTE_MS = 60_000;

/** What there will be for those who are told to come back. */
export interface Capacity {
	readonly perMinute: number;
	/** With all who were told to come back; false: whoever this is comes before them. */
	readonly isShared: boolean;
}

/**
 * The moments at which people were told to come back: those of one asker one after the other, as his part of the budget
 * goes, so that they don't all come at once and nobody stands behind somebody else's thousands. A promise keeps nobody
 * from being served, and when those who were told don't come, it is forgotten.
 */
export class Bookings {
	/** Up to when the part of each is promised. */
	readonly #ends = new Map<Asker, number>();
	/** Since when there are promises. */
	#begin = 0;
	/** How many came in the minute that began then. */
	#minute = { begin: 0, came: 0 };

	/** Up to when something is promised; null: nothing is. */
	until(now: number): number | null {
		const end = Math.max(0, ...this.#ends.values());
		return end > now ? end : null;
	}

	/** Up to when the asker's part is promised, epoch ms; 0: nothing is. */
	endFor(asker: Asker): number {
		return this.#ends.get(asker) ?? 0;
	}

	/**
	 * Promises the budget of so many recipients.
	 *
	 * @param from epoch ms, before which there is nothing: tomorrow, when the day is used up. That it will be by the moment
	 * that is told is not foreseen: who comes then is told of tomorrow.
	 * @returns the moment to come back, epoch ms
	 */
	book(now: number, asker: Asker, recipients: number, from: number, capacity: Capacity): number {
		this.#forgetUnlessTheyCome(now, capacity.perMinute);
		for (const [other, end] of this.#ends) if (end <= now) this.#ends.delete(other);
		if (this.#ends.size === 0) this.#begin = from;
		const { perMinute } = capacity;
		const askers = this.#ends.size + (this.#ends.has(asker) ? 0 : 1);
		const sharers = capacity.isShared ? askers : 1;
		const at = Math.max(from, this.#ends.get(asker) ?? 0);
		this.#ends.set(asker, at + Math.ceil((recipients * sharers * MINUTE_MS) / perMinute));
		return at;
	}

	/** Somebody asks about so many, told to come back or not. */
	came(now: number, recipients: number, perMinute: number): void {
		this.#forgetUnlessTheyCome(now, perMinute);
		this.#minute.came += recipients;
	}

	/** Fewer than half of those who were told to come in the last minute did: nobody waits for the rest. */
	#forgetUnlessTheyCome(now: number, perMinute: number): void {
		const { begin, came } = this.#minute;
		const end = begin + MINUTE_MS;
		if (now < end) return;
		const wasPromised = begin >= this.#begin && end <= (this.until(begin) ?? 0);
		this.#minute = { begin: now, came: 0 };
		if (!wasPromised || came >= perMinute / 2) return;
		this.#ends.clear();
	}
}
