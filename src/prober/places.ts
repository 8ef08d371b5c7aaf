import type { QuestionClass } from '../engine/question.ts';

/** A connection that the prober holds. */
export interface Place {
	readonly id: number;
	/** The mail host's address and the way out: for whom the connection is of use. */
	readonly to: string;
	/** Since when nobody uses it, epoch ms; null: in use, or being opened. */
	readonly idleSince: number | null;
	/** How many recipients it may still be asked about. */
	readonly left: number;
}

/** Somebody who wants a connection. */
export interface Wanting {
	readonly to: string;
	/** Only a new connection will do. */
	readonly fresh: boolean;
	/** So many recipients, at the least. */
	readonly least: number;
}

export type Step =
	| { readonly kind: 'use'; readonly id: number }
	/** Open one; `closing` makes room for it. */
	| { readonly kind: 'open'; readonly closing: number | null }
	| { readonly kind: 'wait' };

/** How long an unused connection is kept. Servers wait for a minute and more. */
export const IDLE_MS = 10_000;

/**
 * What whoever comes next does, where one operator or mail host bears `most` connections from one source address. The
 * connection used last is used first, so that the others come to their end.
 */
export function nextStep(places: readonly Place[], { to, fresh, least }: Wanting, most: number): Step {
	const idle = places
		.filter(({ idleSince }) => idleSince !== null)
		.toSorted((a, b) => (b.idleSince ?? 0) - (a.idleSince ?? 0));
	const warm = fresh ? undefined : idle.find((place) => place.to === to && place.left >= least);
	if (warm !== undefined) return { kind: 'use', id: warm.id };
	if (places.length < most) return { kind: 'open', closing: null };
	const spare = idle.at(-1);
	return spare === undefined ? { kind: 'wait' } : { kind: 'open', closing: spare.id };
}

/** Who comes first: a caller who waits, then a small job, then a list. */
export const RANK: Readonly<Record<QuestionClass, number>> = { single: 0, small: 1, list: 2 };

/**
 * How many connections one asker may use at once: one fewer than there may be, so that nobody's silent hosts or thousands
 * of questions keep all of them.
 */
export function mostOfOneAsker(connections: number): number {
	return Math.max(1, connections - 1);
}
