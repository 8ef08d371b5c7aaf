import type { FinalRow, RowCounts } from '../stored-row.ts';

/** All in which one kind of job differs from another. The same machine drives all of them. */
export interface Kind {
	/** What the API and its errors call one; also its lines in the ledger, and in the plural the paths of its pages. */
	readonly noun: string;
	/** What the pages call one. */
	readonly onPages: { readonly noun: string; readonly title: string };
	/** Its ids begin with it. */
	readonly idPrefix: string;
	/** Credits for a definite answer about an address. A job keeps the price that it was opened at. */
	readonly price: number;
	/** The binding of the queue that its parts come by. */
	readonly queue: string;
	/** Tells its Idempotency-Keys from those of other kinds: no caller's key has a plain space as it is stored. */
	readonly keyPrefix: string;
	/** One without addresses is completed at once; else it is never opened. */
	readonly mayBeEmpty: boolean;
	/**
	 * Its catch-all addresses get the deep check, with what the list that it was made from says as a whole, and every
	 * row a score with its breakdown.
	 */
	readonly isDeep: boolean;
	/** Rows that its completion holds in memory at once. */
	readonly rowsPerPass: number;
	/** What is made of its rows beside the pages when all of them are final. */
	readonly summarise: (counts: RowCounts) => Summary;
}

/** What is kept of a job as a whole: what its list says about its addresses; how often each score came up. */
export type SummaryName = 'facts' | 'scores';

/** Sees the rows of a job that is completed, one after the other, and says what to keep of them. */
export interface Summary {
	see(row: FinalRow): void;
	texts(): readonly { readonly name: SummaryName; readonly text: string }[];
}
