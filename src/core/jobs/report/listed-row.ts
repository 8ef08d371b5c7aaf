import { subStatusOfCatchAll } from '../../verification/decide.ts';
import type { VerificationResult } from '../../verification/render.ts';
import { statusOf, verdictOf } from '../../verification/sub-status.ts';
import type { SubStatus } from '../../verification/sub-status.ts';
import type { ResultFilter } from '../pages.ts';
import { renderRow, toScoredRow } from '../stored-row.ts';
import type { FinalRow, StoredRow } from '../stored-row.ts';

/** A row of a finished list as its owner reads it, with what a catch-all check found. */
export interface ListedRow {
	readonly row: FinalRow;
	/** The score of a catch-all check, beside the row's own answer, which still holds. */
	readonly beside: number | null;
	/** The check decided what the list left open. */
	readonly isLearnt: boolean;
}

/**
 * The row of a list, with the score of its catch-all check.
 *
 * @param score null: the address was not checked
 */
export function listed(row: FinalRow, score: number | null): ListedRow {
	// A row that its own list scored has its score already.
	if (score === null || row[14] !== undefined) return { row, beside: null, isLearnt: false };
	// A decided catch-all address is deliverable or undeliverable, an undecided one stays risky.
	if (row[2] !== 'catch_all' || verdictOf(score) === 'unknown')
		return { row, beside: score, isLearnt: false };
	const decided = decidedRow(row, subStatusOfCatchAll(score));
	return { row: toScoredRow(decided, score), beside: null, isLearnt: true };
}

/** The score of an address of a catch-all domain; null: not checked. */
export function scoreOf({ row, beside }: ListedRow): number | null {
	return row[14] ?? beside;
}

/** The row as pages and files show it. */
export function renderListed({ row, beside }: ListedRow): VerificationResult {
	return renderRow(row, beside);
}

/** The row with another sub_status, without the words and the reply of the earlier answer. */
function decidedRow(row: FinalRow, subStatus: SubStatus): StoredRow {
	return row.with(2, subStatus).with(11, null).with(12, null) as unknown as StoredRow;
}

/** The rows of a list to show. A row has to match every field. */
export interface RowFilter {
	/** Null: any. */
	readonly status: ResultFilter | null;
	readonly reason: SubStatus | null;
	/** A part of the address, in any case; empty: any. */
	readonly text: string;
}

export const NO_FILTER: RowFilter = { status: null, reason: null, text: '' };

/** Whether nothing but the status matters: these rows are stored as lists of their own. */
export function isByStatus({ reason, text }: RowFilter): boolean {
	return reason === null && text === '';
}

/** Whether every row passes. */
export function isOpen(filter: RowFilter): boolean {
	return filter.status === null && isByStatus(filter);
}

/** Makes the test that a row has to pass. */
export function matcherOf({ status, reason, text }: RowFilter): (found: ListedRow) => boolean {
	const part = text.toLowerCase();
	return (found) => {
		const [, email, subStatus, , catchAll] = found.row;
		const isOfStatus = status === 'catch_all' ? catchAll === true : status === statusOf(subStatus);
		return (
			(status === null || isOfStatus) &&
			(reason === null || subStatus === reason) &&
			email.toLowerCase().includes(part)
		);
	};
}
