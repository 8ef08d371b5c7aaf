import type { AccountPort } from '../accounts/object-port.ts';
import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import { OWNERS_KEY_ID } from '../verify/verify-for-owner.ts';
import type { ListState } from './lists-port.ts';
import type { JobRecord } from './port.ts';

const PAGE_SIZE = 25;

/** Where a list came from: the pages, or a key. */
export const LIST_SOURCES = ['upload', 'api'] as const;
export type ListSource = (typeof LIST_SOURCES)[number];

export interface FindListsServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'findLists'>;
}

export interface FindListsRequest {
	readonly state: ListState;
	readonly search: string;
	/** Null: any. */
	readonly from: ListSource | null;
	/** From 1. */
	readonly page: number;
}

/** A page of the account's lists, newest first. */
export async function findLists(
	services: FindListsServices,
	account: AccountRef,
	request: FindListsRequest,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { state, search, from, page } = request;
	const madeWith = from === null ? null : { keyId: OWNERS_KEY_ID, is: from === 'upload' };
	const asked = { state, search, madeWith, page, pageSize: PAGE_SIZE };
	const { jobs, total } = await services.accounts(account.accountId).findLists(asked);
	return { jobs, pagination: paginate(total, page, PAGE_SIZE) };
}
