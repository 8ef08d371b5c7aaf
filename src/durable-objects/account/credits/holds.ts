import { countLater } from '../../../core/rate-limit/window.ts';
import type { Category, Window } from '../../../core/rate-limit/window.ts';
import type { Hold, ReservationRef } from '../../../operations/verify/port.ts';

// The longest call is cut off after 30 seconds: the Worker of a call without an answer after five minutes has died.
export const HOLD_MS = 5 * 60_000;

interface Held {
	readonly hold: Hold;
	readonly endsAt: number;
}

/**
 * The credits and the requests of a window that single calls under way have set aside. In memory alone: each settlement
 * brings its hold along, because the object may have left memory in between.
 */
export class Holds {
	readonly #now: () => number;
	readonly #held = new Map<string, Held>();
	#credits = 0;
	/** How to take back what the transaction under way has changed. */
	#undo: (() => void)[] = [];

	/** @param now the object's own clock, by which a call ends whose Worker has died */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Sets aside what a call may need. */
	take(call: ReservationRef, hold: Hold): void {
		this.#change(nameOf(call), { hold, endsAt: this.#now() + HOLD_MS });
	}

	find(call: ReservationRef): Hold | null {
		return this.#held.get(nameOf(call))?.hold ?? null;
	}

	/** Sets nothing aside for a call any more. */
	end(call: ReservationRef): void {
		this.#change(nameOf(call), undefined);
	}

	/** Sets nothing aside any more. */
	clear(): void {
		for (const name of this.#held.keys()) this.#change(name, undefined);
	}

	/** Ends a transaction. One that was rolled back has changed nothing here either. */
	endTransaction(isRolledBack: boolean): void {
		if (isRolledBack) for (const undo of this.#undo.toReversed()) undo();
		this.#undo = [];
	}

	#change(name: string, held: Held | undefined): void {
		const before = this.#held.get(name);
		this.#undo.push(() => this.#set(name, before));
		this.#set(name, held);
	}

	#set(name: string, held: Held | undefined): void {
		this.#credits += (held?.hold.credits ?? 0) - (this.#held.get(name)?.hold.credits ?? 0);
		if (held === undefined) this.#held.delete(name);
		else this.#held.set(name, held);
	}

	/** All credits that are set aside. */
	get credits(): number {
		const now = this.#now();
		for (const [name, { endsAt }] of this.#held) if (endsAt <= now) this.#set(name, undefined);
		return this.#credits;
	}

	/** The stored window with the requests of calls under way. */
	windowOf(category: Category, stored: Window | null): Window | null {
		let window = stored;
		for (const { hold } of this.#held.values())
			if (hold.countedOn?.category === category) window = countLater(window, hold.countedOn);
		return window;
	}
}

function nameOf({ id, at }: ReservationRef): string {
	return `${at} ${id}`;
}
