import type { Clock } from '../../../src/engine/ports.ts';

interface Sleeper {
	readonly at: number;
	/** Sleepers that wake at the same time wake in the order in which they fell asleep. */
	readonly order: number;
	wake: (() => void) | null;
}

/** A clock that jumps to the end of the next wait, also on days with millions of them. */
export class VirtualClock implements Clock {
	/** Number of pending waits. */
	waiting = 0;
	#now: number;
	#order = 0;
	/** A binary heap, soonest first. */
	readonly #heap: Sleeper[] = [];

	constructor(startsAt: number) {
		this.#now = startsAt;
	}

	readonly now = (): number => this.#now;

	readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
		const { promise, resolve } = Promise.withResolvers<void>();
		if (signal?.aborted === true) return Promise.resolve();
		const at = this.#now + Math.max(0, Math.ceil(ms));
		const sleeper: Sleeper = { at, order: (this.#order += 1), wake: null };
		sleeper.wake = () => {
			sleeper.wake = null;
			this.waiting -= 1;
			resolve();
		};
		this.waiting += 1;
		this.#push(sleeper);
		signal?.addEventListener('abort', () => sleeper.wake?.(), { once: true });
		return promise;
	};

	/** Runs the work to its end: whenever all of it waits, the clock advances to the end of the next wait. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		const over = (): void => void (isOver = true);
		work.then(over, over);
		if (!(await this.#advance(Infinity, () => isOver)))
			throw new Error('The work waits for something that no time will bring');
		return work;
	}

	/** Lets time pass until then, or until `isOver` says so. */
	async runUntil(end: number, isOver: () => boolean): Promise<void> {
		if (!(await this.#advance(end, isOver))) this.#now = Math.max(this.#now, end);
	}

	async #advance(end: number, isOver: () => boolean): Promise<boolean> {
		for (;;) {
			// Work that does not wait is done within a turn of the event loop.
			await new Promise(setImmediate);
			if (isOver()) return true;
			while (this.#heap[0]?.wake === null) this.#pop();
			const at = this.#heap[0]?.at;
			if (at === undefined || at > end) return false;
			this.#now = Math.max(this.#now, at);
			while ((this.#heap[0]?.at ?? Infinity) <= this.#now) this.#pop()?.wake?.();
		}
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

/** A clock whose waits end in the right order, but take no real time. */
export function virtualClock(startsAt = Date.UTC(2026, 10, 21, 10)): VirtualClock {
	return new VirtualClock(startsAt);
}
