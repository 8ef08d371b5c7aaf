/** The faults that an audit can find. The words are for logs and metrics; each finding has a sentence with the rest. */
export const FLAWS = [
	'no_answer',
	'account_unopened',
	'account_unlisted',
	'account_unregistered',
	'standing_differs',
	'closed_alive',
	'balance_wrong',
	'ledger_sum',
	'grants_sum',
	'reserved_sum',
	'day_wrong',
	'reservation_late',
	'line_orphaned',
	'alarm_late',
	'job_counts',
	'part_wrong',
	'part_far',
	'job_state',
	'job_charge',
	'job_late',
	'results_overdue',
	'blob_missing',
	'blob_left',
	'blob_unclaimed',
	'upload_left',
	'job_unlisted',
	'job_listed_wrong',
	'job_unknown',
	'job_without_account',
	'person_without_account',
	'delivery_late',
	'delivery_far',
	'delivery_orphaned',
	'purchase_credits',
	'purchase_refund',
	'purchase_unsettled',
	'purchase_unknown',
	'purchase_without_account',
] as const;

export type Flaw = (typeof FLAWS)[number];

/** A fault that an audit found. */
export interface Finding {
	readonly what: Flaw;
	readonly accountId: string | null;
	/** The id of a job, reservation, purchase, endpoint or event, or a day; null: the account as a whole. */
	readonly about: string | null;
	/** One sentence, without addresses or names. */
	readonly says: string;
}

/** A finding without its account. */
export type Found = Omit<Finding, 'accountId'>;

/** Shortens a list of ids or numbers for a sentence. */
export function some(items: readonly (string | number)[]): string {
	const first = items.slice(0, 5).join(', ');
	return items.length > 5 ? `${first} and ${items.length - 5} more` : first;
}

/** A time in a sentence. */
export function time(at: number): string {
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
