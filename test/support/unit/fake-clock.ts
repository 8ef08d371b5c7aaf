import type { Clock } from '../../../src/lib/time.ts';

export interface FakeClock extends Clock {
	/** Advances the time. */
	advance(ms: number): void;
	/** All sleeps so far, in milliseconds. */
	readonly slept: readonly number[];
}

/** A clock that moves only by `advance` and by sleeps, which return at once. */
export function fakeClock(startsAt = Date.UTC(2026, 10, 21, 10)): FakeClock {
	let now = startsAt;
	const slept: number[] = [];
	return {
		slept,
		now: () => now,
		advance: (ms) => {
			now += ms;
		},
		sleep: (ms) => {
			now += ms;
			slept.push(ms);
			return Promise.resolve();
		},
	};
}
