import { STATUSES } from '../../verification/sub-status.ts';
import { scoreOfListed, statusOfListed } from './listed-row.ts';
import type { ListedRow } from './listed-row.ts';

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

/** The domain of a stored address, which is in lower case. */
export function domainOf(email: string): string {
	return email.slice(email.lastIndexOf('@') + 1);
}
