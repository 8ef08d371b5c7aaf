/**
 * The faults that an audit can find, by what the operator does about them (docs/faults.md). The words are for logs and
 * metrics; each finding has a sentence with the rest.
 */
export const FLAWS = [
	'no_answer',
	'ledger_sum',
	'work_late',
	'job_sums',
	'blob_missing',
	'blob_left',
	'listing_differs',
	'listed_unknown',
	'closed_alive',
	'delivery_stuck',
	'purchase_differs',
	'purchase_unknown',
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
