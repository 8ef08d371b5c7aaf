import type { AccountPort } from '../accounts/object-port.ts';
import type { JobKind } from '../../core/jobs/kinds/kinds.ts';
import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, JobStatus } from './port.ts';

const PAGE_SIZE = 25;

export interface ListJobsServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'listJobs'>;
}

export interface ListJobsRequest {
	/** Left out: jobs, no tasks. */
	readonly kind?: JobKind;
	/** From 1. */
	readonly page: number;
	/** Jobs a page; 25 if left out. */
	readonly limit?: number;
	/** Left out: any. */
	readonly status?: JobStatus | undefined;
}

/** A page of the account's jobs or tasks, newest first. */
export async function listJobs(
	services: ListJobsServices,
	account: AccountRef,
	request: ListJobsRequest,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { kind = 'verification', page, limit = PAGE_SIZE, status } = request;
	const asked = { kind, status, page, pageSize: limit };
	const { jobs, total } = await services.accounts(account.accountId).listJobs(asked);
	return { jobs, pagination: paginate(total, page, limit) };
}
