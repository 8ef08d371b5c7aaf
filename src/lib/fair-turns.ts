import { ExpiringMap } from './expiring-map.ts';

/** A request that waits for its turn. */
interface Waiter {
	readonly asker: string;
	/** When it last looked for its turn, epoch ms. */
	seenAt: number;
}

// A waiter that has not looked for this long has ended with its request.
const LOST_AFTER_MS = 1_000;
const ASKERS_MAX = 1_000;
const REMEMBERED_MS = 600_000;

/**
 * Turns at a resource that takes one request in a while. The asker whose last turn is longest ago is next, so an
 * asker with many requests delays any other by one turn. No request wakes another: each looks by its own timer.
 */
export class FairTurns {
	readonly #spacingMs: number;
	#waiting: readonly Waiter[] = [];
	#freeAt = 0;
	#turns = 0;
	/** The number of each asker's last turn. */
	readonly #served = new ExpiringMap<number>(ASKERS_MAX);

	constructor(spacingMs: number) {
		this.#spacingMs = spacingMs;
	}

	/** A place among those that wait, or null if the asker's own requests alone take longer than the patience. */
	enter(asker: string, now: number, patienceMs: number): Waiter | null {
		this.#forgetLost(now);
		const ahead = this.#waiting.filter((waiter) => waiter.asker === asker).length;
		if (Math.max(0, this.#freeAt - now) + ahead * this.#spacingMs > patienceMs) return null;
		const waiter = { asker, seenAt: now };
		this.#waiting = [...this.#waiting, waiter];
		return waiter;
	}

	/** Whether the turn is the waiter's now; then it has it. */
	take(waiter: Waiter, now: number): boolean {
		waiter.seenAt = now;
		this.#forgetLost(now);
		if (now < this.#freeAt || this.#next(now) !== waiter) return false;
		this.leave(waiter);
		this.#freeAt = now + this.#spacingMs;
		this.#turns += 1;
		this.#served.set(waiter.asker, this.#turns, now + REMEMBERED_MS);
		return true;
	}

	leave(waiter: Waiter): void {
		this.#waiting = this.#waiting.filter((other) => other !== waiter);
	}

	#next(now: number): Waiter | undefined {
		const lastTurn = ({ asker }: Waiter): number => this.#served.get(asker, now) ?? 0;
		// Sorting keeps the order of arrival among equals.
		return this.#waiting.toSorted((a, b) => lastTurn(a) - lastTurn(b))[0];
	}

	#forgetLost(now: number): void {
		this.#waiting = this.#waiting.filter(({ seenAt }) => now - seenAt <= LOST_AFTER_MS);
	}
}
