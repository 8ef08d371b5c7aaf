import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, JobStore } from './port.ts';

const PAGE_SIZE = 25;

export interface ListJobsServices {
	readonly accounts: (accountId: string) => Pick<JobStore, 'listJobs'>;
}

export interface ListJobsRequest {
	/** From 1. */
	readonly page: number;
}

/** A page of the account's jobs, newest first. */
export async function listJobs(
	services: ListJobsServices,
	account: AccountRef,
	request: ListJobsRequest,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { page } = request;
	const asked = { kind: 'verification', page, pageSize: PAGE_SIZE } as const;
	const { jobs, total } = await services.accounts(account.accountId).listJobs(asked);
	return { jobs, pagination: paginate(total, page, PAGE_SIZE) };
}
