import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { JobRecord, JobStore } from './port.ts';

const PAGE_SIZE = 25;

/** A page of the account's jobs, newest first. `page` counts from 1. */
export async function listJobs(
	account: Pick<JobStore, 'listJobs'>,
	page: number,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { jobs, total } = await account.listJobs({ kind: 'verification', page, pageSize: PAGE_SIZE });
	return { jobs, pagination: paginate(total, page, PAGE_SIZE) };
}
