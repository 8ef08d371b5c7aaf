import type { CatchAllVerdict } from '../../verification/result.ts';
import type { SubStatus } from '../../verification/sub-status.ts';
import type { ResultFilter } from '../pages.ts';
import { flagsIn } from '../stored-row.ts';
import { catchAllOf, statusOfListed } from './listed-row.ts';
import type { ListedRow } from './listed-row.ts';

/** Only the rows with a property, or only those without it. */
export type With = 'only' | 'without';

/** The rows of a list to show. A row has to match every field; null: any. */
export interface RowFilter {
	readonly status: ResultFilter | null;
	readonly reason: SubStatus | null;
	readonly role: With | null;
	readonly free: With | null;
	readonly disposable: With | null;
	/** The verdict of a catch-all check. */
	readonly verdict: CatchAllVerdict | null;
	/** The word for a mail operator or gateway, as in results. */
	readonly operator: string | null;
	/** A part of the address, in any case; empty: any. */
	readonly text: string;
}

export const NO_FILTER: RowFilter = {
	status: null,
	reason: null,
	role: null,
	free: null,
	disposable: null,
	verdict: null,
	operator: null,
	text: '',
};

/** Whether every row passes. */
export function isOpen(filter: RowFilter): boolean {
	return Object.entries(filter).every(([, value]) => value === null || value === '');
}

/** Whether nothing but the status matters: these rows are stored as lists of their own. */
export function isByStatus(filter: RowFilter): boolean {
	return isOpen({ ...filter, status: null });
}

/** Makes the test that a row has to pass. */
export function matcherOf(filter: RowFilter): (listed: ListedRow) => boolean {
	const text = filter.text.toLowerCase();
	return (listed) => {
		const { row } = listed;
		const [, email, subStatus] = row;
		if (filter.reason !== null && subStatus !== filter.reason) return false;
		if (filter.status === 'catch_all' ? row[4] !== true : isOther(filter.status, statusOfListed(listed)))
			return false;
		if (filter.operator !== null && row[9] !== filter.operator && row[10] !== filter.operator) return false;
		const flags = flagsIn(row);
		return (
			fits(filter.role, flags.roleAccount) &&
			fits(filter.free, flags.freeEmail) &&
			fits(filter.disposable, flags.disposable) &&
			(filter.verdict === null || catchAllOf(listed)?.verdict === filter.verdict) &&
			(text === '' || email.toLowerCase().includes(text))
		);
	};
}

function isOther<T>(wanted: T | null, found: T): boolean {
	return wanted !== null && wanted !== found;
}

function fits(wanted: With | null, has: boolean): boolean {
	return wanted === null || (wanted === 'only') === has;
}
