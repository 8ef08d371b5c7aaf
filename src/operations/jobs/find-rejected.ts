import { ROWS_PER_PAGE, paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { Rejected } from '../../core/jobs/rejected.ts';
import type { JobRecord } from './port.ts';
import { readRejected } from './read-rejected.ts';
import type { ReadResultsServices } from './steps/stored-results.ts';

export interface FindRejectedRequest {
	readonly job: JobRecord;
	/** Null: any. */
	readonly reason: Rejected['reason'] | null;
	/** From 1. */
	readonly page: number;
	readonly limit: number;
}

/**
 * A page of those elements that were taken out of a job's list for one reason; the stored pages are read until it is full.
 * Throws as `readRejected` does.
 */
export async function findRejected(
	services: ReadResultsServices,
	request: FindRejectedRequest,
): Promise<{ rejected: readonly Rejected[]; pagination: Pagination }> {
	const { job, reason, page, limit } = request;
	if (reason === null) return readRejected(services, { job, page, limit });
	const total = reason === 'malformed' ? job.invalid : job.duplicates;
	const end = Math.min(page * limit, total);
	const found: Rejected[] = [];
	const blobs = Math.ceil((job.invalid + job.duplicates) / ROWS_PER_PAGE);
	for (let blob = 1; blob <= blobs && found.length < end; blob += 1) {
		const { rejected } = await readRejected(services, { job, page: blob, limit: ROWS_PER_PAGE });
		found.push(...rejected.filter((one) => one.reason === reason));
	}
	return {
		rejected: found.slice((page - 1) * limit, end),
		pagination: paginate(total, page, limit),
	};
}
