/** The time, and waiting. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves early if the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A day of UTC, which knows no summer time. */
export const DAY_MS = 86_400_000;

/** The day of UTC, as days since 1970. */
export function dayOf(now: number): number {
	return Math.floor(now / DAY_MS);
}

/** The next midnight, UTC. */
export function dayAfter(now: number): number {
	return (dayOf(now) + 1) * DAY_MS;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** The next full unit of time, such as a minute, at or after a time; epoch ms. */
export function roundUp(at: number, unitMs: number): number {
	return Math.ceil(at / unitMs) * unitMs;
}

/** When a day such as `2026-11-21` begins in UTC, epoch ms; null: there is no such day. */
export function beginOfDay(day: string): number | null {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
	const begin = Date.parse(`${day}T00:00:00Z`);
	// `2026-02-30` would be read as the second of March.
	return Number.isNaN(begin) || new Date(begin).toISOString().slice(0, 10) !== day ? null : begin;
}

/**
 * Time that never goes back. It follows the wall clock, also when that is set ahead. When the wall clock is set back,
 * it goes on at the pace of a monotonic clock, so that timers still end when they should.
 *
 * @param wall epoch milliseconds
 * @param pace milliseconds since any moment, never set
 */
export function steadyTime(wall: () => number, pace: () => number): () => number {
	let time = wall();
	let paced = pace();
	return () => {
		const passed = pace();
		time = Math.max(wall(), time + Math.floor(passed - paced));
		paced += Math.floor(passed - paced);
		return time;
	};
}

/**
 * Waits for `ms`, or until the signal aborts, which also clears the timer. With an aborted signal it does not wait at
 * all.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	if (signal?.aborted === true) return Promise.resolve();
	const end = (): void => {
		clearTimeout(timer);
		signal?.removeEventListener('abort', end);
		resolve();
	};
	const timer = setTimeout(end, ms);
	signal?.addEventListener('abort', end, { once: true });
	return promise;
}

/** A reason to abort what waits: without one, each abort makes an error with a stack trace, which costs more than the wait. */
export const OVER = 'over';

/** The outcome of the work; null where it takes longer than `limitMs`. Late work goes on. */
export async function within<T>(
	work: Promise<T>,
	limitMs: number,
	clock: Pick<Clock, 'sleep'> = { sleep },
): Promise<T | null> {
	const over = new AbortController();
	try {
		const late = clock.sleep(Math.max(0, limitMs), over.signal).then(() => null);
		return await Promise.race([work, late]);
	} finally {
		over.abort(OVER);
	}
}

/** Whole seconds until the next day of UTC. */
export function secondsToNextDay(now: number): number {
	return Math.ceil((dayAfter(now) - now) / 1000);
}
