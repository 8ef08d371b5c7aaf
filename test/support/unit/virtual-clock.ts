import type { Clock } from '../../../src/lib/time.ts';

export interface VirtualClock extends Clock {
	/** Number of pending waits. */
	readonly waiting: number;
	/** Runs the work to its end: whenever all of it waits, the clock advances to the end of the next wait. */
	run<T>(work: Promise<T>): Promise<T>;
	/** Lets time pass until then, or until all waits are over or `isOver` says so. */
	runUntil(end: number, isOver: () => boolean): Promise<void>;
}

/** A clock whose waits end in the right order, but take no real time; made for days with millions of them. */
export function virtualClock(startsAt = Date.UTC(2026, 10, 21, 10)): VirtualClock {
	let now = startsAt;
	let waiting = 0;
	/** The soonest is last, and of those who wake at one time who fell asleep first. `wake` is null: it woke before. */
	const sleepers: { readonly at: number; wake: (() => void) | null }[] = [];
	const runUntil = async (end: number, isOver: () => boolean): Promise<void> => {
		for (;;) {
			// Work that does not wait is done within a turn of the event loop.
			await new Promise(setImmediate);
			while (sleepers.at(-1)?.wake === null) sleepers.pop();
			const next = sleepers.at(-1)?.at;
			if (next === undefined || next > end || isOver()) return;
			now = Math.max(now, next);
			while ((sleepers.at(-1)?.at ?? Infinity) <= now) sleepers.pop()?.wake?.();
		}
	};
	return {
		now: () => now,
		get waiting() {
			return waiting;
		},
		sleep: (ms, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted === true) return resolve();
				waiting += 1;
				const wake = (): void => {
					if (sleeper.wake !== null) waiting -= 1;
					sleeper.wake = null;
					resolve();
				};
				const sleeper: (typeof sleepers)[number] = { at: now + Math.max(0, Math.ceil(ms)), wake };
				let [low, high] = [0, sleepers.length];
				while (low < high) {
					const middle = (low + high) >> 1;
					if (sleepers[middle]!.at > sleeper.at) low = middle + 1;
					else high = middle;
				}
				sleepers.splice(low, 0, sleeper);
				signal?.addEventListener('abort', wake, { once: true });
			}),
		runUntil,
		async run(work) {
			let isOver = false;
			const over = (): void => void (isOver = true);
			work.then(over, over);
			await runUntil(Infinity, () => isOver);
			if (!isOver) throw new Error('The work waits for something that no time will bring');
			return work;
		},
	};
}
