import { domainOf } from '../../address/parse-address.ts';
import type { CatchAllVerdict } from '../../verification/render.ts';
import { STATUSES } from '../../verification/sub-status.ts';
import type { SubStatus } from '../../verification/sub-status.ts';
import type { ResultFilter } from '../pages.ts';
import { flagsIn } from '../stored-row.ts';
import { catchAllOf, scoreOfListed, statusOfListed } from './listed-row.ts';
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

/** The keys that rows can be sorted by. */
export const SORTS = ['list', 'address', 'domain', 'status', 'score'] as const;
export type SortKey = (typeof SORTS)[number];

export interface RowOrder {
	readonly by: SortKey;
	readonly descending: boolean;
}

export const LIST_ORDER: RowOrder = { by: 'list', descending: false };

/** The value that a row is sorted by. Rows with equal values stay in the list's order. */
export function sortKeyOf(by: SortKey): (listed: ListedRow) => string | number {
	switch (by) {
		case 'list':
			return ({ row }) => row[0];
		case 'address':
			return ({ row }) => row[1].toLowerCase();
		case 'domain':
			return ({ row }) => domainOf(row[1]);
		case 'status':
			return (listed) => STATUSES.indexOf(statusOfListed(listed));
		case 'score':
			return scoreOfListed;
	}
}

/** Compares two rows by their keys; `index`: the place in the list. */
export function comparerOf({ descending }: RowOrder) {
	return (a: SortedRow, b: SortedRow): number => {
		const sign = descending ? -1 : 1;
		if (a.key < b.key) return -sign;
		return a.key > b.key ? sign : a.index - b.index;
	};
}

interface SortedRow {
	readonly key: string | number;
	readonly index: number;
}
