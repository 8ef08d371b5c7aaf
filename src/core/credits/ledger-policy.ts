/** What an account's alarm does with its ledger, and how much of it at a time. */
export interface LedgerPolicy {
	/** Lines that stand in files are deleted from the ledger at this age, ms. */
	readonly retentionMs: number;
	/** Beyond so many lines in the ledger, those that stand in files are deleted at any age. */
	readonly linesMax: number;
	/** Who asks for the sums at a place reads so many lines at most. */
	readonly linesPerMark: number;
	/** Marks made by one alarm. */
	readonly marksAtOnce: number;
	/** Lines of a piece, which is written by one alarm. */
	readonly linesPerPiece: number;
	/** Lines deleted by one alarm. */
	readonly linesPruned: number;
}

/** All but the age, which is configured. */
export const LEDGER_SIZES = {
	// About 2 of the 10 GB that an object may hold.
	linesMax: 20_000_000,
	linesPerMark: 1_000,
	// The others wait some tens of milliseconds for each.
	marksAtOnce: 50,
	// About a megabyte of CSV.
	linesPerPiece: 10_000,
	linesPruned: 5_000,
} as const satisfies Omit<LedgerPolicy, 'retentionMs'>;
