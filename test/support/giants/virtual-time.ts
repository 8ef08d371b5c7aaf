import type { Clock } from '../../../src/engine/ports.ts';

interface Sleeper {
	readonly at: number;
	/** Sleepers that wake at the same time wake in the order in which they fell asleep. */
	readonly order: number;
	wake: (() => void) | null;
}

/** A clock that jumps to the end of the next wait, made for days with millions of them. */
export class VirtualTime implements Clock {
	#now: number;
	#order = 0;
	/** A binary heap, soonest first. */
	readonly #heap: Sleeper[] = [];

	constructor(startsAt: number) {
		this.#now = startsAt;
	}

	now(): number {
		return this.#now;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			if (signal?.aborted === true) return resolve();
			this.#order += 1;
			const sleeper: Sleeper = {
				at: this.#now + Math.max(0, Math.ceil(ms)),
				order: this.#order,
				wake: resolve,
			};
			this.#push(sleeper);
			signal?.addEventListener(
				'abort',
				() => {
					sleeper.wake = null;
					resolve();
				},
				{ once: true },
			);
			return undefined;
		});
	}

	/** Lets time pass until then, or until no sleeper is left or `isOver` says so. */
	async runUntil(end: number, isOver: () => boolean = () => false): Promise<void> {
		for (;;) {
			// Work that does not wait is done within a turn of the event loop.
			await new Promise(setImmediate);
			const at = this.#heap[0]?.at;
			if (at === undefined || at > end || isOver()) break;
			this.#now = Math.max(this.#now, at);
			while ((this.#heap[0]?.at ?? Infinity) <= this.#now) this.#pop()?.wake?.();
		}
		this.#now = isOver() ? this.#now : Math.max(this.#now, end);
	}

	#push(sleeper: Sleeper): void {
		const heap = this.#heap;
		let at = heap.push(sleeper) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!isBefore(sleeper, heap[parent]!)) break;
			heap[at] = heap[parent]!;
			at = parent;
		}
		heap[at] = sleeper;
	}

	#pop(): Sleeper | undefined {
		const heap = this.#heap;
		const first = heap[0];
		const last = heap.pop();
		if (last === undefined || heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let child = at * 2 + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
			if (!isBefore(heap[child]!, last)) break;
			heap[at] = heap[child]!;
			at = child;
		}
		heap[at] = last;
		return first;
	}
}

function isBefore(one: Sleeper, other: Sleeper): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}
