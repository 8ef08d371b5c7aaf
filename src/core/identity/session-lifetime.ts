const HOUR_MS = 3_600_000;
/** A session that nobody used for this long has ended. */
export const SESSION_IDLE_MS = 7 * 24 * HOUR_MS;
/** No session lives longer, however much it is used. */
export const SESSION_ABSOLUTE_MS = 30 * 24 * HOUR_MS;
// Each look at a page would cost a row; the idle limit needs no better than this.
const TOUCH_AFTER_MS = 10 * 60_000;

export interface SessionTimes {
	/** Epoch milliseconds. */
	readonly createdAt: number;
	readonly lastSeenAt: number;
}

/** Whether the session still holds at `now`. */
export function isAlive({ createdAt, lastSeenAt }: SessionTimes, now: number): boolean {
	return now < lastSeenAt + SESSION_IDLE_MS && now < createdAt + SESSION_ABSOLUTE_MS;
}

/** Whether it is time to write down that the session is in use. */
export function needsTouch({ lastSeenAt }: SessionTimes, now: number): boolean {
	return now >= lastSeenAt + TOUCH_AFTER_MS;
}
