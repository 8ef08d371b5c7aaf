import { MINUTE_MS } from '../../lib/time.ts';
import type { SubStatusOf } from '../verification/sub-status.ts';

/** An address without a final answer: its result if it were given up now, and when it is due. */
export type OpenRow = readonly [
	index: number,
	email: string,
	subStatus: null,
	lastSubStatus: SubStatusOf<'unknown'>,
	/** How often we asked a mail host about it. */
	asked: number,
	/** When it is asked next, epoch ms. */
	dueAt: number,
];

export const OPEN_LENGTH = 6;

/** Rows wait for a day, unless JOB_HORIZON_SECONDS says otherwise. */
export const HORIZON_MS = 86_400_000;

const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 15 * MINUTE_MS;

/** Rows due within this time are asked together, so that a part does not run once for each of its addresses. */
const ALONG_MS = 1_000;

/** The row of an address that was not asked about yet. */
export function newRow(index: number, email: string): OpenRow {
	return [index, email, null, 'unexpected_error', 0, 0];
}

/**
 * The row after an answer that a later one may improve. Null: that was the last time.
 *
 * @param why the answer
 * @param delaysMs the pauses before the second and every later time
 */
export function askedAgain(
	[index, email, , , times]: OpenRow,
	why: OpenRow[3],
	now: number,
	delaysMs: readonly number[],
): OpenRow | null {
	const delay = delaysMs[times];
	return delay === undefined ? null : [index, email, null, why, times + 1, now + delay];
}

/** The row of an address that waits for us until then (epoch ms), which does not count as asked. */
export function later([index, email, , why, times]: OpenRow, until: number): OpenRow {
	return [index, email, null, times === 0 ? 'no_capacity' : why, times, until];
}

/**
 * How long a fault of ours puts rows off. The pause grows with the time for which the part has had no answer: the end of a
 * short fault is noticed soon, and a long one is not tested every minute.
 *
 * @param silentSince when the part last had an answer
 * @param delaysMs the job's own pauses, short for a job that should end in seconds
 */
export function faultPauseMs(silentSince: number, now: number, delaysMs: readonly number[]): number {
	const first = Math.min(FIRST_PAUSE_MS, delaysMs[0] ?? FIRST_PAUSE_MS);
	return Math.min(LONGEST_PAUSE_MS, Math.max(first, Math.round((now - silentSince) / 2)));
}

/** The rows to ask about at `now`. The soonest is always among them, because the clock that planned it may be ahead of ours. */
export function dueRows(open: readonly OpenRow[], now: number): readonly OpenRow[] {
	const soonest = open.reduce((least, [, , , , , dueAt]) => Math.min(least, dueAt), Infinity);
	return open.filter(([, , , , , dueAt]) => dueAt <= Math.max(now, soonest) + ALONG_MS);
}
