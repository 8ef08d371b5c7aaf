export const CATEGORIES = ['default', 'batch', 'polling'] as const;
/** The counter of an account that a request counts on (spec §8). */
export type Category = (typeof CATEGORIES)[number];

/** Requests per window and category. */
export type Limits = Readonly<Record<Category, number>>;

// Spec §8.
export const DEFAULT_LIMITS: Limits = { default: 300, batch: 30, polling: 600 };

/** A fixed window: it begins with its first request; the first request after its end begins a new one. */
export interface Window {
	/** Epoch milliseconds of its first request. */
	readonly startedAt: number;
	/** Requests admitted in it. */
	readonly count: number;
}

/** The window that a request counts on. */
export interface CountedOn {
	readonly category: Category;
	/** Epoch milliseconds. */
	readonly startedAt: number;
	readonly endsAt: number;
}

/** Counts a request later than it was admitted. A window that has begun since counts it too, unless the two never met. */
export function countLater(window: Window | null, on: CountedOn): Window | null {
	if (window === null || window.startedAt < on.startedAt) return { startedAt: on.startedAt, count: 1 };
	if (window.startedAt >= on.endsAt) return window;
	return { ...window, count: window.count + 1 };
}

/** The values of the RateLimit headers (spec §8). */
export interface WindowView {
	readonly limit: number;
	readonly remaining: number;
	/** Whole seconds until the window resets, at least 1. */
	readonly resetSeconds: number;
}

/** Counts a request if the limit allows it. A refused request does not change the window. */
export function admit(
	window: Window | null,
	limit: number,
	windowMs: number,
	now: number,
): { admitted: boolean; window: Window } {
	const current = currentWindow(window, windowMs, now);
	if (current.count >= limit) return { admitted: false, window: current };
	return { admitted: true, window: { ...current, count: current.count + 1 } };
}

/** The window at `now`, for the headers. */
export function viewOf(window: Window | null, limit: number, windowMs: number, now: number): WindowView {
	const current = currentWindow(window, windowMs, now);
	const resetMs = current.startedAt + windowMs - now;
	return {
		limit,
		remaining: Math.max(0, limit - current.count),
		resetSeconds: Math.max(1, Math.ceil(Math.min(resetMs, windowMs) / 1000)),
	};
}

function currentWindow(window: Window | null, windowMs: number, now: number): Window {
	const isOver = window === null || now >= window.startedAt + windowMs;
	return isOver ? { startedAt: now, count: 0 } : window;
}
