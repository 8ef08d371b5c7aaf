import type { JobNoun } from '../jobs/kinds.ts';

export type LedgerKind = 'grant' | 'adjustment' | 'verification' | JobNoun;

/** A line of the ledger as the account stores it. Times are epoch milliseconds. */
export interface LedgerLine {
	readonly at: number;
	/** The grant's id, or that of the verification, job or task. */
	readonly id: string;
	readonly kind: LedgerKind;
	readonly keyId: string | null;
	readonly credits: number;
	readonly charged: number | null;
	/** A verification's status, or how a job ended; null while it runs, and for grants. */
	readonly outcome: string | null;
	readonly closedAt: number | null;
}

/**
 * A line as it is shown. A grant or an adjustment changes the balance by `credits`; for work, `credits` = charged +
 * refunded + released + reserved.
 */
export interface LedgerEntry extends LedgerLine {
	readonly charged: number;
	/** Given back because the answer was `unknown`. */
	readonly refunded: number;
	/** Released because the work failed by our fault, or never began. */
	readonly released: number;
	/** Still set aside. */
	readonly reserved: number;
	/** Null without a key, as for the dashboard itself. */
	readonly keyLabel: string | null;
	/** The name of a list or task; null: none. */
	readonly name: string | null;
	/** By how much the line has changed the balance so far: a grant adds credits, work subtracts what was charged. */
	readonly change: number;
}

/** A place in the ledger, whose lines are ordered by time, then by id. */
export type LedgerPlace = Pick<LedgerLine, 'at' | 'id'>;
