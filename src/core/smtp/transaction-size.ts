/** Counts of a server's answers for targets so far. */
export interface RecipientTally {
	readonly asked: number;
	readonly rejected: number;
}

// Before a server has answered anything, one address in four is presumed bad.
const PRESUMED = { asked: 4, rejected: 1 };

/**
 * The number of recipients for the next transaction. Its expected errors must fit into the errors that the connection
 * has left: `most` recipients from a list of good addresses, a few from a bad list.
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
