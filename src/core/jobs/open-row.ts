import { assert } from '../../lib/assert.ts';
import { isUnknown } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import type { Schedule } from './schedule.ts';

/** An address without a final answer: its result if it were given up now, and when it is due. */
export type DeferredRow = readonly [
	...UnplannedRow,
	asked: number,
	/** Epoch milliseconds. */
	dueAt: number,
	putOffSince: number | null,
];

/** A row as an earlier version stored it: asked in every attempt of its part, and due with the next one. */
export type UnplannedRow = readonly [
	index: number,
	email: string,
	subStatus: null,
	lastSubStatus: SubStatusOf<'unknown'>,
];

export type OpenRow = DeferredRow | UnplannedRow;

export const DEFERRED_LENGTH = 7;
export const UNPLANNED_LENGTH = 4;

/** The row of an address that we ask about later. `last`: its result if it were given up now. */
export function toDeferredRow(
	index: number,
	email: string,
	last: SubStatus,
	{ asked, dueAt, putOffSince }: Schedule,
): DeferredRow {
	assert(isUnknown(last), 'only an unknown is asked again');
	return [index, email, null, last, asked, dueAt, putOffSince];
}

/** @param attempts the part's stored attempts, including the one that stored the row */
export function scheduleOf(row: OpenRow, attempts: number): Schedule {
	if (row.length === UNPLANNED_LENGTH) return { asked: attempts, dueAt: 0, putOffSince: null };
	const [, , , , asked, dueAt, putOffSince] = row;
	return { asked, dueAt, putOffSince };
}
