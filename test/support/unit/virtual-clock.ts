import type { Clock } from '../../../src/engine/ports.ts';

export interface VirtualClock extends Clock {
	/** Number of pending waits. */
	readonly waiting: number;
	/** Runs the work to its end: whenever all of it waits, the clock advances to the end of the next wait. */
	run<T>(work: Promise<T>): Promise<T>;
}

/** A clock whose waits end in the right order, but take no real time. */
export function virtualClock(startsAt = Date.UTC(2026, 10, 21, 10)): VirtualClock {
	let now = startsAt;
	const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
	return {
		now: () => now,
		get waiting() {
			return sleepers.length;
		},
		sleep: (ms, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted === true) return resolve();
				const sleeper = { at: now + ms, wake: resolve };
				sleepers.push(sleeper);
				const end = (): void => {
					const at = sleepers.indexOf(sleeper);
					if (at >= 0) sleepers.splice(at, 1);
					resolve();
				};
				signal?.addEventListener('abort', end, { once: true });
			}),
		async run(work) {
			const state = { isOver: false };
			const over = (): void => void (state.isOver = true);
			work.then(over, over);
			for (;;) {
				// Work that does not wait is done within a turn of the event loop.
				await new Promise(setImmediate);
				if (state.isOver) return work;
				sleepers.sort((a, b) => a.at - b.at);
				const next = sleepers.shift();
				if (next === undefined) throw new Error('The work waits for something that no time will bring');
				now = Math.max(now, next.at);
				next.wake();
			}
		},
	};
}
