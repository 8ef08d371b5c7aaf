const HOUR_MS = 3_600_000;
/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 7 * 24 * HOUR_MS;
/** No session lasts longer than this, even when in use. */
export const SESSION_ABSOLUTE_MS = 30 * 24 * HOUR_MS;
// Writing the time at every request would cost a row each; the idle limit needs no better precision.
const TOUCH_AFTER_MS = 10 * 60_000;

export interface SessionTimes {
	/** Epoch milliseconds. */
	readonly createdAt: number;
	readonly lastSeenAt: number;
}

/** Whether the session is still valid at `now`. */
export function isAlive({ createdAt, lastSeenAt }: SessionTimes, now: number): boolean {
	return now < lastSeenAt + SESSION_IDLE_MS && now < createdAt + SESSION_ABSOLUTE_MS;
}

/** Whether the session's last use should be stored again. */
export function needsTouch({ lastSeenAt }: SessionTimes, now: number): boolean {
	return now >= lastSeenAt + TOUCH_AFTER_MS;
}
