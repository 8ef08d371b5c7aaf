import { assert } from '../../lib/assert.ts';
import { isUnknown } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import type { Schedule } from './schedule.ts';

/** An address without a final answer: its result if it were given up now, and when it is due. */
export type OpenRow = readonly [
	index: number,
	email: string,
	subStatus: null,
	lastSubStatus: SubStatusOf<'unknown'>,
	asked: number,
	/** Epoch milliseconds. */
	dueAt: number,
	putOffSince: number | null,
];

export const OPEN_LENGTH = 7;

/** The row of an address that is asked later. `last`: its result if it were given up now. */
export function toOpenRow(
	index: number,
	email: string,
	last: SubStatus,
	{ asked, dueAt, putOffSince }: Schedule,
): OpenRow {
	assert(isUnknown(last), 'only an unknown is asked again');
	return [index, email, null, last, asked, dueAt, putOffSince];
}

/** When the row's address was asked, and is asked again. */
export function scheduleOf([, , , , times, dueAt, putOffSince]: OpenRow): Schedule {
	return { asked: times, dueAt, putOffSince };
}
