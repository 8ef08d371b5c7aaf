import type { WebhookEventType } from '../../webhooks/events.ts';
import type { FinalRow, RowCounts } from '../stored-row.ts';

/** Everything in which one kind of job differs from another. The same code runs all kinds. */
export interface Kind {
	/** The name in the API, its errors and the ledger; in the plural also in the paths of pages. */
	readonly noun: string;
	/** The name on the pages. */
	readonly onPages: { readonly noun: string; readonly title: string };
	/** The beginning of its ids. */
	readonly idPrefix: string;
	/** Credits for a definite answer about an address. A job keeps the price at which it was opened. */
	readonly price: number;
	/** The binding of the queue that delivers its parts. */
	readonly queue: string;
	/** What the account is told when one ends. */
	readonly events: { readonly completed: WebhookEventType; readonly failed: WebhookEventType };
	/** Separates its Idempotency-Keys from those of other kinds: as stored, no caller's key contains a plain space. */
	readonly keyPrefix: string;
	/** A job without addresses is completed at once; if false, such a job is never opened. */
	readonly mayBeEmpty: boolean;
	/**
	 * Its catch-all addresses get the deeper check, with the facts about the whole source list, and every row has a
	 * score with its breakdown.
	 */
	readonly isDeep: boolean;
	/** Rows that are held in memory at once when the job is completed. */
	readonly rowsPerPass: number;
	/** Makes what is stored beside the pages when all rows are final. */
	readonly summarise: (counts: RowCounts) => Summary;
}

/**
 * What is kept of a job as a whole: `facts` about its list by its results, for a task; `neighbours`, the same by its
 * addresses alone, for a job that resolves catch-all addresses itself; how often each of the `scores` occurred. Of a task,
 * or of a list that asks another one's addresses again, also the `places` of its rows in that job; of a task its
 * `verdicts`, to be shown in that job's rows. The `report` is made when somebody first reads it, and again after each
 * later check.
 */
export type SummaryName = 'facts' | 'neighbours' | 'places' | 'report' | 'scores' | 'verdicts';

/** Sees each row of a job that is being completed, and then gives the texts to keep. */
export interface Summary {
	see(row: FinalRow): void;
	texts(): readonly { readonly name: SummaryName; readonly text: string }[];
}
