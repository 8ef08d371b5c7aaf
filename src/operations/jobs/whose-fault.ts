import type { Brought } from '../../core/jobs/part-rows.ts';
import { PUT_OFF_MAX_MS, SUSPECTED_MAX_MS } from '../../core/jobs/schedule.ts';
import { RESOLVER } from '../../engine/ports.ts';
import type { ExaminePartServices, Found } from './examine-part.ts';

// What befalls others is seen a little later.
const LOOKED_AT_AFTER_MS = 10_000;
// A resolver that told others something readable this shortly before is not out of order.
const WORKED_LATELY_MS = 10_000;

type Unreached = Extract<Found, { kind: 'unreached' }>;

/** What is made of what came of an address. Null: it is too early to say whose fault it was. */
export function broughtBy(
	{ waysOut }: Pick<ExaminePartServices, 'waysOut'>,
	found: Found,
	{ now, isOver }: { readonly now: number; readonly isOver: boolean },
): Brought | null {
	switch (found.kind) {
		case 'answered':
			return { kind: found.again ? 'again' : 'final', row: found.row };
		case 'broken':
			return { kind: 'again', row: null };
		case 'fault':
			return { kind: 'put_off', mostMs: PUT_OFF_MAX_MS, row: null };
		case 'unreached':
			if (!isOver && now - found.failure.at < LOOKED_AT_AFTER_MS) return null;
			return ofUnreached({ waysOut }, found);
	}
}

function ofUnreached({ waysOut }: Pick<ExaminePartServices, 'waysOut'>, found: Unreached): Brought {
	const { row, failure, unreadable } = found;
	switch (waysOut.blame(failure)) {
		case 'ours':
			return { kind: 'put_off', mostMs: PUT_OFF_MAX_MS, row: null };
		case 'perhaps_ours':
			return { kind: 'put_off', mostMs: SUSPECTED_MAX_MS, row };
		case 'theirs': {
			const isResolvers = unreadable && !waysOut.workedSince(RESOLVER, failure.begun - WORKED_LATELY_MS);
			return isResolvers ? { kind: 'put_off', mostMs: SUSPECTED_MAX_MS, row } : { kind: 'final', row };
		}
	}
}
