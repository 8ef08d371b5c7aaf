/** What a server said so far of the recipients that somebody asked us about. */
export interface RecipientTally {
	readonly asked: number;
	readonly rejected: number;
}

// Of a server that was not asked yet, one address in four is taken for bad: three of four good ones, before any answer.
const PRESUMED = { asked: 4, rejected: 1 };

/**
 * How many recipients the next transaction may hold, so that the errors it is likely to draw still fit into what the
 * connection has left: a list of good addresses goes by `most`, a bad one by few.
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
