/** How a server has answered for targets so far. */
export interface RecipientTally {
	readonly asked: number;
	readonly rejected: number;
}

// Before a server has answered anything, one address in four is presumed bad.
const PRESUMED = { asked: 4, rejected: 1 };

/**
 * How many recipients the next transaction may hold, so that its likely errors stay within the errors that the
 * connection has left: a list of good addresses is asked `most` at a time, a bad list a few at a time.
 */
export function transactionSize(about: {
	readonly most: number;
	readonly errorsLeft: number;
	readonly tally: RecipientTally;
}): number {
	const { most, errorsLeft, tally } = about;
	const rate = (tally.rejected + PRESUMED.rejected) / (tally.asked + PRESUMED.asked);
	return Math.max(1, Math.min(most, Math.floor(errorsLeft / rate)));
}
