import { closesAt } from './linger.ts';
import type { Linger } from './linger.ts';

/** A connection that the exchanger holds. */
export interface Line {
	readonly id: number;
	/** The mail host's address and the egress: for whom the connection is of use. */
	readonly to: string;
	/** Since when nobody uses it, epoch ms; null: in use, or being opened. */
	readonly idleSince: number | null;
}

export type Step =
	| { readonly kind: 'use'; readonly id: number }
	/** Open one; `closing` makes room for it. */
	| { readonly kind: 'open'; readonly closing: number | null }
	| { readonly kind: 'wait' };

// An invocation may hold six; one is left for a connection whose end has not been noticed yet.
export const LINES_MAX = 5;
// Large operators count connections by caller: more than this to one host looks like a flood.
export const LINES_PER_HOST_MAX = 2;

/**
 * What whoever comes next for `to` does. The connection used last is used first, so that the others come to their end.
 *
 * @param fresh only a new connection will do
 */
export function nextStep(lines: readonly Line[], to: string, fresh: boolean): Step {
	const idle = lines
		.filter(({ idleSince }) => idleSince !== null)
		.toSorted((a, b) => (b.idleSince ?? 0) - (a.idleSince ?? 0));
	const warm = fresh ? undefined : idle.find((line) => line.to === to);
	if (warm !== undefined) return { kind: 'use', id: warm.id };
	const isFullHere = lines.filter((line) => line.to === to).length >= LINES_PER_HOST_MAX;
	if (!isFullHere && lines.length < LINES_MAX) return { kind: 'open', closing: null };
	// The one that was idle longest; of the same host where that host has its share.
	const spare = idle.findLast((line) => !isFullHere || line.to === to);
	return spare === undefined ? { kind: 'wait' } : { kind: 'open', closing: spare.id };
}

/** Whether a connection may be begun, or kept, for the line after these: together they are no more than the lines alone. */
export function hasRoomForSpare(lines: number): boolean {
	return lines < LINES_MAX;
}

/** The connections that have been idle for too long. */
export function overdueLines(lines: readonly Line[], linger: Linger, now: number): readonly number[] {
	return lines
		.filter(({ idleSince }) => idleSince !== null && closesAt(linger, idleSince) <= now)
		.map(({ id }) => id);
}
