import type { Status } from './sub-status.ts';

/** Scores from this one up belong to `deliverable` alone. */
export const VALID_FROM = 80;
/** Scores up to this one belong to `undeliverable` alone. */
export const INVALID_UP_TO = 20;

const BETWEEN = { least: INVALID_UP_TO + 1, most: VALID_FROM - 1 } as const;

/** The scores of each status. A sort by score never puts a lower status above a higher one. */
export const BANDS = {
	deliverable: { least: VALID_FROM, most: 100 },
	undeliverable: { least: 0, most: INVALID_UP_TO },
	risky: BETWEEN,
	unknown: BETWEEN,
} as const satisfies Readonly<Record<Status, { readonly least: number; readonly most: number }>>;

/** The score, or the nearest one of the status. */
export function scoreWithin(status: Status, score: number): number {
	const { least, most } = BANDS[status];
	return Math.min(most, Math.max(least, score));
}

export const ACTIONS = ['send', 'hold', 'retry', 'drop'] as const;
export type Action = (typeof ACTIONS)[number];

const ADVICE = { deliverable: 'send', undeliverable: 'drop', risky: 'hold' } as const;

/** The advice to a sender. It is `send` exactly where the address is valid. */
export function actionOf(status: Status, retryAfter: number | null): Action {
	if (status === 'unknown') return retryAfter === null ? 'hold' : 'retry';
	return ADVICE[status];
}
