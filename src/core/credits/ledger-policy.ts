/** How an account's alarm maintains its ledger, and how much work it does at a time. */
export interface LedgerPolicy {
	/** The age at which the ledger deletes lines that are stored in files, ms. */
	readonly retentionMs: number;
	/** If the ledger has more lines than this, it deletes lines that are stored in files at any age. */
	readonly linesMax: number;
	/** The most lines to read for the sums at any point of the ledger. */
	readonly linesPerMark: number;
	/** Marks made by one alarm. */
	readonly marksAtOnce: number;
	/** Lines of a piece. One alarm writes one piece. */
	readonly linesPerPiece: number;
	/** Lines deleted by one alarm. */
	readonly linesPruned: number;
}

/** All but the age, which is configured. */
export const LEDGER_SIZES = {
	// About 2 of the 10 GB that an object may hold.
	linesMax: 20_000_000,
	linesPerMark: 1_000,
	// Other requests wait some tens of milliseconds for each mark.
	marksAtOnce: 50,
	// About a megabyte of CSV.
	linesPerPiece: 10_000,
	linesPruned: 5_000,
} as const satisfies Omit<LedgerPolicy, 'retentionMs'>;
