/** A connection that the prober holds. */
export interface Place {
	/** The mail host's address and the way out: for whom the connection is of use. */
	readonly to: string;
	/** Since when it is unused, epoch ms; null: in use, or being opened. */
	readonly idleSince: number | null;
	/** It still counts, and is of no more use. */
	readonly isClosing: boolean;
	/** How many recipients it may still be asked about. */
	readonly left: number;
}

/** A question's demands of a connection. */
export interface PlaceNeeds {
	readonly to: string;
	/** Only a new connection will do. */
	readonly fresh: boolean;
	/** So many recipients, at the least. */
	readonly least: number;
}

export type Step<P extends Place> =
	| { readonly kind: 'use'; readonly place: P }
	| { readonly kind: 'open' }
	/** Wait; `closing` makes room. */
	| { readonly kind: 'wait'; readonly closing: P | null };

/** How long an unused connection is kept. Servers wait for a minute and more. */
export const IDLE_MS = 10_000;

/**
 * The next question's move, where one operator or mail host accepts `most` connections from one source address. The
 * connection used last is used first, so that the others come to their end.
 */
export function nextStep<P extends Place>(
	places: readonly P[],
	{ to, fresh, least }: PlaceNeeds,
	most: number,
): Step<P> {
	const idle = places
		.filter(({ idleSince, isClosing }) => idleSince !== null && !isClosing)
		.toSorted((a, b) => (b.idleSince ?? 0) - (a.idleSince ?? 0));
	const warm = fresh ? undefined : idle.find((place) => place.to === to && place.left >= least);
	if (warm !== undefined) return { kind: 'use', place: warm };
	if (places.length < most) return { kind: 'open' };
	// One closes at a time for each question that waits; the question is served when it is closed.
	return { kind: 'wait', closing: places.some(({ isClosing }) => isClosing) ? null : (idle.at(-1) ?? null) };
}
