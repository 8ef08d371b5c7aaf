import type { WebhookEventType } from '../../webhooks/events.ts';

/** Everything that differs between kinds of jobs. The same code runs all kinds. */
export interface Kind {
	/** The name in the API, its errors and the ledger. */
	readonly noun: string;
	/** The name on the pages. */
	readonly onPages: { readonly noun: string; readonly title: string };
	/** The beginning of its ids. */
	readonly idPrefix: string;
	/** Credits for a definite answer about an address. A job keeps the price at which it was opened. */
	readonly price: number;
	/** The binding of the queue that delivers its parts. */
	readonly queue: string;
	/** The webhook events at the end of a job. */
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
}

/**
 * Texts stored about a job as a whole. `facts`: about its list, from its addresses alone, for a job that resolves
 * catch-all addresses itself; from its results, for a task. `places`: the places of a task's rows in the list that it
 * checks. `scores`: by these places, to be shown in the list's rows. `report`: of a list, or of a task's list with its
 * scores.
 */
export type SummaryName = 'facts' | 'places' | 'report' | 'scores';
