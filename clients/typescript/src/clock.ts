/** Time, as far as a client needs it. Tests bring their own. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `then` after so many milliseconds; what it returns calls that off. */
	after(ms: number, then: () => void): () => void;
}

// Longer timers would fire at once: they are counted in 31 bits.
const TIMER_MS_MAX = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
	now: () => Date.now(),
	after: (ms, then) => {
		const timer = setTimeout(then, Math.min(ms, TIMER_MS_MAX));
		return () => clearTimeout(timer);
	},
};

/** Waits; rejects with the signal's reason as soon as that is aborted. */
export async function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	return new Promise((resolve, reject) => {
		const end = (): void => {
			callOff();
			reject(signal?.reason);
		};
		const callOff = clock.after(ms, () => {
			signal?.removeEventListener('abort', end);
			resolve();
		});
		signal?.addEventListener('abort', end, { once: true });
	});
}
