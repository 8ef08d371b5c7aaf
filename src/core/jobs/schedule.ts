/** When, and how often, the server of an address that waits is asked. Epoch milliseconds. */
export interface Schedule {
	/** How often it was asked. */
	readonly asked: number;
	readonly dueAt: number;
	/** Since when a fault of ours has put the address off; null: none ever did. */
	readonly putOffSince: number | null;
}

/** Of an address whose turn has not come yet. */
export const FROM_THE_START: Schedule = { asked: 0, dueAt: 0, putOffSince: null };

/** A fault of ours may put an address off for this long, counted from the first time. */
export const PUT_OFF_MAX_MS = 6 * 3_600_000;
/**
 * And for this long where it is only suspected: a list of dead domains looks like an outage to whoever sees nothing
 * else, and must end.
 */
export const SUSPECTED_MAX_MS = 15 * 60_000;

/** Rows wait for our own capacity for a day, unless the operator set another time (JOB_HORIZON_SECONDS). */
export const HORIZON_MS = 86_400_000;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** What is due this soon is asked along, so that a part is not begun for each of its addresses. */
const ALONG_MS = 1_000;

/** After an answer that a later one may better. Null: it was asked for the last time. */
export function askedAgain(
	{ asked, putOffSince }: Schedule,
	now: number,
	delaysMs: readonly number[],
): Schedule | null {
	const delay = delaysMs[asked];
	return delay === undefined ? null : { asked: asked + 1, dueAt: now + delay, putOffSince };
}

/**
 * After a fault of ours: asked later, and not counted as asked. The pauses grow with the time that the fault has lasted,
 * so that it is noticed soon when a short one is over, and a long one is not asked about each minute. Null: for too long.
 *
 * @param delaysMs the job's own pauses: those of a job that should end in seconds are short
 */
export function putOff(
	{ asked, putOffSince }: Schedule,
	now: number,
	{ mostMs, delaysMs }: { readonly mostMs: number; readonly delaysMs: readonly number[] },
): Schedule | null {
	const since = putOffSince ?? now;
	const end = since + mostMs;
	if (now >= end) return null;
	const first = Math.min(FIRST_PAUSE_MS, delaysMs[0] ?? FIRST_PAUSE_MS);
	const pause = Math.min(LONGEST_PAUSE_MS, Math.max(first, 2 * (now - since)));
	return { asked, dueAt: Math.min(now + pause, end), putOffSince: since };
}

/**
 * After our own capacity was used up until `until`: asked then, and not counted as asked. Null: the job may not last that
 * long.
 */
export function postponed(
	{ asked, putOffSince }: Schedule,
	{ until, horizon }: { readonly until: number; readonly horizon: number },
	now: number,
): Schedule | null {
	return now >= horizon ? null : { asked, dueAt: Math.min(Math.max(until, now), horizon), putOffSince };
}

/** There was no time to ask it: it is due at once, and no longer put off than by a fault. */
export function notReached({ asked, putOffSince }: Schedule, now: number): Schedule | null {
	const since = putOffSince ?? now;
	return now - since >= PUT_OFF_MAX_MS ? null : { asked, dueAt: now, putOffSince: since };
}

/**
 * Until when what waits is due together, at `now`. Somebody always is: the clock that planned the turn may be ahead of
 * ours.
 */
export function dueUntil(dueAts: Iterable<number>, now: number): number {
	let soonest = Infinity;
	for (const dueAt of dueAts) soonest = Math.min(soonest, dueAt);
	return Math.max(now, soonest) + ALONG_MS;
}
