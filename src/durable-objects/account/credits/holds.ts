import type { Category, Window } from '../../../core/rate-limit/window.ts';
import type { Hold, ReservationRef } from '../../../operations/verify/port.ts';
import { RESERVATION_LIFETIME_MS } from './row.ts';

/**
 * The credits and the requests of a window that single calls under way have set aside. In memory alone: each settlement
 * brings its hold along, because the object may have left memory in between.
 */
export class Holds {
	readonly #now: () => number;
	readonly #held = new Map<string, { readonly hold: Hold; readonly endsAt: number }>();
	#credits = 0;

	/** @param now the object's own clock, by which a call ends whose Worker has died */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Sets aside what a call may need. */
	take(call: ReservationRef, hold: Hold): void {
		this.end(call);
		this.#held.set(nameOf(call), { hold, endsAt: this.#now() + RESERVATION_LIFETIME_MS });
		this.#credits += hold.credits;
	}

	find(call: ReservationRef): Hold | null {
		return this.#held.get(nameOf(call))?.hold ?? null;
	}

	/** Sets nothing aside for a call any more. */
	end(call: ReservationRef): void {
		const name = nameOf(call);
		this.#credits -= this.#held.get(name)?.hold.credits ?? 0;
		this.#held.delete(name);
	}

	/** Sets nothing aside any more. */
	clear(): void {
		this.#held.clear();
		this.#credits = 0;
	}

	/** All credits that are set aside. */
	get credits(): number {
		const now = this.#now();
		for (const [name, { hold, endsAt }] of this.#held) {
			if (endsAt > now) continue;
			this.#held.delete(name);
			this.#credits -= hold.credits;
		}
		return this.#credits;
	}

	/** The stored window with the requests of calls under way. */
	windowOf(category: Category, stored: Window | null): Window | null {
		let window = stored;
		for (const { hold } of this.#held.values()) {
			if (hold.countedOn?.category !== category) continue;
			const { startedAt } = hold.countedOn;
			if (window === null || startedAt > window.startedAt) window = { startedAt, count: 1 };
			else if (startedAt === window.startedAt) window = { startedAt, count: window.count + 1 };
		}
		return window;
	}
}

function nameOf({ id, at }: ReservationRef): string {
	return `${at} ${id}`;
}
