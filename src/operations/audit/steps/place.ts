/** The steps of an audit: those of one account, in this order, and those of the service as a whole. */
export const AUDIT_STAGES = [
	'books',
	'ledger',
	'jobs',
	'listing',
	'purchases',
	'accounts',
	'rows',
	'bucket',
	'uploads',
] as const;

/** Where an audit is, as its caller keeps it between two calls. */
export interface AuditPlace {
	readonly stage: (typeof AUDIT_STAGES)[number];
	/** Of the first five stages. */
	readonly accountId: string | null;
	/** What this stage has done last; null: nothing yet. */
	readonly after: string | null;
}

/** The first place of an audit of everything. */
export const FROM_THE_FIRST: AuditPlace = { stage: 'accounts', accountId: null, after: null };

/** The first place of an account. */
export function booksOf(accountId: string): AuditPlace {
	return { stage: 'books', accountId, after: null };
}
