/** How often we asked a mail host about an open address, and when we ask next. Epoch milliseconds. */
export interface Schedule {
	/** How often we asked a mail host about the address. */
	readonly asked: number;
	readonly dueAt: number;
	/** When a fault of ours first put the address off; null: none has. */
	readonly putOffSince: number | null;
}

/** The schedule of an address that was not asked about yet. */
export const FROM_THE_START: Schedule = { asked: 0, dueAt: 0, putOffSince: null };

/** Faults of ours may put an address off for this long, counted from the first fault. */
export const PUT_OFF_MAX_MS = 6 * 3_600_000;

/** Rows wait for our own capacity for a day, unless JOB_HORIZON_SECONDS says otherwise. */
export const HORIZON_MS = 86_400_000;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Rows due within this time are asked together, so that a part does not run once for each of its addresses. */
const ALONG_MS = 1_000;

/**
 * The schedule after an answer that a later one may improve. Null: that was the last time.
 *
 * @param afterMs the pause that the mail operator asks for; null: the job's own
 */
export function askedAgain(
	{ asked, putOffSince }: Schedule,
	now: number,
	delaysMs: readonly number[],
	afterMs: number | null = null,
): Schedule | null {
	const delay = delaysMs[asked];
	return delay === undefined ? null : { asked: asked + 1, dueAt: now + (afterMs ?? delay), putOffSince };
}

/**
 * The schedule after a fault of ours: asked later, and not counted as asked. The pause grows with the time that the fault
 * has lasted: the end of a short fault is noticed soon, and a long one is not tested every minute. Null: put off for too
 * long.
 *
 * @param delaysMs the job's own pauses, short for a job that should end in seconds
 */
export function putOff(
	{ asked, putOffSince }: Schedule,
	now: number,
	delaysMs: readonly number[],
): Schedule | null {
	const since = putOffSince ?? now;
	const end = since + PUT_OFF_MAX_MS;
	if (now >= end) return null;
	const first = Math.min(FIRST_PAUSE_MS, delaysMs[0] ?? FIRST_PAUSE_MS);
	const pause = Math.min(LONGEST_PAUSE_MS, Math.max(first, 2 * (now - since)));
	return { asked, dueAt: Math.min(now + pause, end), putOffSince: since };
}

/**
 * The schedule while our own capacity or time is used up: asked at `until`, and not counted as asked. This wait is no part
 * of the time for which our faults put the address off. Null: `horizon`, the end of such waiting, has passed.
 */
export function postponed(
	{ asked, putOffSince }: Schedule,
	{ until, horizon }: { readonly until: number; readonly horizon: number },
	now: number,
): Schedule | null {
	if (now >= horizon) return null;
	// A prober reports a duration that may have fractions of a millisecond; due times are whole.
	const dueAt = Math.min(Math.max(Math.ceil(until), now), horizon);
	return { asked, dueAt, putOffSince: putOffSince === null ? null : putOffSince + dueAt - now };
}

/**
 * The latest due time of the rows to ask about at `now`. The soonest row is always among them, because the clock that
 * planned the turn may be ahead of ours.
 */
export function dueUntil(dueAts: Iterable<number>, now: number): number {
	let soonest = Infinity;
	for (const dueAt of dueAts) soonest = Math.min(soonest, dueAt);
	return Math.max(now, soonest) + ALONG_MS;
}
