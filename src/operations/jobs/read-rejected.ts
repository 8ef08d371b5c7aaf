import { ROWS_PER_PAGE, pageSpan, paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { decodeRejected } from '../../core/jobs/rejected.ts';
import type { Rejected } from '../../core/jobs/rejected.ts';
import { ServiceError } from '../../errors.ts';
import { resultsExpired } from './steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';

/**
 * A page of the elements that were taken out of a job's list, in the list's order: from the job's creation until its
 * results expire. Throws `results_expired` after that.
 */
export async function readRejected(
	services: ReadResultsServices,
	request: Omit<ReadResultsRequest, 'list'>,
): Promise<{ rejected: readonly Rejected[]; pagination: Pagination }> {
	const { job, page, limit } = request;
	const { clock, jobBlobs } = services;
	if (job.resultsExpiresAt !== null && clock.now() >= job.resultsExpiresAt) throw resultsExpired(job);
	const total = job.duplicates + job.invalid;
	const pagination = paginate(total, page, limit);
	if ((page - 1) * limit >= total) return { rejected: [], pagination };
	const { firstBlob, lastBlob, offset } = pageSpan(page, limit);
	const lastFilled = Math.floor((total - 1) / ROWS_PER_PAGE);
	const lines: string[] = [];
	for (let blob = firstBlob; blob <= Math.min(lastBlob, lastFilled); blob += 1) {
		const text = await jobBlobs.readRejected(job.jobId, blob);
		// Deleted a moment ago, or not kept by the version that made the job.
		if (text === null)
			throw new ServiceError('results_expired', 'The rejected elements are not kept any more');
		lines.push(...text.split('\n'));
	}
	return { rejected: lines.slice(offset, offset + limit).map(decodeRejected), pagination };
}
