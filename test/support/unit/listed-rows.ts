import { listed } from '../../../src/core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../../src/core/jobs/report/listed-row.ts';
import { toStoredRow } from '../../../src/core/jobs/stored-row.ts';
import type { StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { decidedBy } from '../../../src/core/verification/render.ts';
import type { ListFacts, Outcome } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';

/** The lists say nothing of most addresses. */
export const NO_FACTS: ListFacts = {
	freeEmail: false,
	roleAccount: false,
	disposable: false,
	noReply: false,
	suggestedDomain: null,
};

export type RowDetails = Partial<Omit<Outcome, 'subStatus'> & ListFacts>;

/** A row as a finished list stores it. */
export function storedRow(
	index: number,
	email: string,
	subStatus: SubStatus,
	more: RowDetails = {},
): StoredRow {
	const outcome = { ...decidedBy('smtp', subStatus), catchAll: subStatus === 'catch_all', ...more };
	return toStoredRow(index, { email }, { ...NO_FACTS, ...more }, outcome, 0);
}

/** The same as its owner reads it. */
export function listedRow(
	email: string,
	subStatus: SubStatus,
	more: RowDetails & { readonly index?: number; readonly checked?: number } = {},
): ListedRow {
	const { index = 0, checked = null, ...details } = more;
	return listed(storedRow(index, email, subStatus, details), checked);
}
