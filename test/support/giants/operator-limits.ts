import type { Budget } from '../../../src/core/mail-operators/operator-row.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
// So long it refuses a source address that went too far, as traffic.md's operators do.
const ANGRY_MS = 10 * MINUTE_MS;

/** An operator's words to a source address of which it has enough. */
export const HAD_ENOUGH = '421 4.7.28 Our system has detected an unusual rate of unsolicited mail';

/** One operator's, or mail host's, view of one source address, and its limits. Epoch milliseconds. */
export class OperatorLimits {
	readonly #limits: Budget;
	readonly #recipients = new SlidingCount();
	readonly #connections = new SlidingCount();
	#day = { day: 0, recipients: 0 };
	#open = 0;
	#angryUntil = 0;
	/** How often it became angry, and how much it refused then. */
	times = 0;
	refused = 0;

	constructor(limits: Budget) {
		this.#limits = limits;
	}

	/** Counts a connection. False: the host refuses it. */
	connects(now: number): boolean {
		this.#open += 1;
		const lately = this.#connections.add(now);
		if (this.#open > this.#limits.connections || lately > this.#limits.connectionsPerMinute) this.#anger(now);
		return this.#bears(now);
	}

	closes(): void {
		this.#open -= 1;
	}

	/** Counts a recipient. False: the host refuses it. */
	isAsked(now: number): boolean {
		const day = Math.floor(now / DAY_MS);
		if (day !== this.#day.day) this.#day = { day, recipients: 0 };
		this.#day.recipients += 1;
		const lately = this.#recipients.add(now);
		const { recipientsPerMinute, recipientsPerDay } = this.#limits;
		if (lately > recipientsPerMinute || this.#day.recipients > recipientsPerDay) this.#anger(now);
		return this.#bears(now);
	}

	#bears(now: number): boolean {
		const isAngry = now < this.#angryUntil;
		if (isAngry) this.refused += 1;
		return !isAngry;
	}

	#anger(now: number): void {
		if (now >= this.#angryUntil) this.times += 1;
		this.#angryUntil = now + ANGRY_MS;
	}
}

/** How many there were in the sixty seconds before. */
class SlidingCount {
	#times: number[] = [];
	#first = 0;

	add(now: number): number {
		this.#times.push(now);
		while ((this.#times[this.#first] ?? now) <= now - MINUTE_MS) this.#first += 1;
		if (this.#first > 10_000) {
			this.#times = this.#times.slice(this.#first);
			this.#first = 0;
		}
		return this.#times.length - this.#first;
	}
}
