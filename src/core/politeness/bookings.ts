import { dayAfter, dayOf } from './allowance.ts';

const MINUTE_MS = 60_000;

/** What there will be for those who are told to come back. */
export interface Capacity {
	readonly perMinute: number;
	readonly perDay: number;
	/** Of today. */
	readonly leftToday: number;
}

/**
 * The moments at which people were told to come back: one after the other, as the budget goes, so that they don't all
 * come at once. A promise keeps nobody else from being served, and when those who were told don't come, it is forgotten.
 */
export class Bookings {
	#begin = 0;
	#end = 0;
	/** Of the day in which the last promise lies. */
	#day = { day: 0, recipients: 0 };
	/** How many came in the minute that began then. */
	#minute = { begin: 0, came: 0 };

	/** Up to when all is promised; null: nothing is. */
	until(now: number): number | null {
		return this.#end > now ? this.#end : null;
	}

	/**
	 * Promises the budget of so many recipients.
	 *
	 * @param from epoch ms, before which there is nothing
	 * @returns the moment to come back, epoch ms
	 */
	book(now: number, recipients: number, from: number, capacity: Capacity): number {
		this.#forgetUnlessTheyCome(now, capacity.perMinute);
		if (this.#end <= from) {
			this.#begin = from;
			this.#end = from;
		}
		if (dayOf(this.#end) !== this.#day.day) this.#day = { day: dayOf(this.#end), recipients: 0 };
		const ofDay = this.#day.day === dayOf(now) ? capacity.leftToday : capacity.perDay;
		if (this.#day.recipients + recipients > ofDay) {
			this.#end = dayAfter(this.#end);
			this.#day = { day: dayOf(this.#end), recipients: 0 };
		}
		const at = this.#end;
		this.#end += Math.ceil((recipients / capacity.perMinute) * MINUTE_MS);
		this.#day = { ...this.#day, recipients: this.#day.recipients + recipients };
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
		const wasPromised = begin >= this.#begin && end <= this.#end;
		if (wasPromised && came < perMinute / 2) this.#end = 0;
		this.#minute = { begin: now, came: 0 };
	}
}
