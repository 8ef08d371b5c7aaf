import { ROWS_PER_PAGE, pageSpan, paginate } from '../core/jobs/pages.ts';
import type { Pagination } from '../core/jobs/pages.ts';
import { decodeRows, isDeferred, renderRow } from '../core/jobs/stored-row.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import type { Status } from '../core/verification/sub-status.ts';
import { ServiceError } from '../errors.ts';
import { assert } from '../lib/assert.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobRecord } from './jobs-port.ts';
import type { Clock } from './ports.ts';

export interface ReadResultsServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
}

/** A page of a completed job's results (spec §3, rules 1 and 2): at most two blobs are read. */
export async function readResults(
	services: ReadResultsServices,
	job: JobRecord,
	ask: { readonly page: number; readonly limit: number; readonly list: 'all' | 'catch_all' | Status },
): Promise<{ results: readonly VerificationResult[]; pagination: Pagination }> {
	if (job.status !== 'completed')
		throw new ServiceError('wrong_state', `The job is ${job.status}, not completed`);
	assert(job.resultsExpiresAt !== null, 'a completed job has an expiry');
	if (services.clock.now() >= job.resultsExpiresAt) {
		throw new ServiceError('expired', 'Results are kept for 48 hours and have expired');
	}
	const { page, limit, list } = ask;
	const total = totalOf(job, list);
	const pagination = paginate(total, page, limit);
	if ((page - 1) * limit >= total) return { results: [], pagination };
	const { firstBlob, lastBlob, offset } = pageSpan(page, limit);
	const lastFilled = Math.floor((total - 1) / ROWS_PER_PAGE);
	const texts: string[] = [];
	for (let blob = firstBlob; blob <= Math.min(lastBlob, lastFilled); blob += 1) {
		const text = await services.jobBlobs.readPage(job.jobId, list, blob);
		// The alarm may have removed them this very moment.
		if (text === null) throw new ServiceError('expired', 'Results are kept for 48 hours and have expired');
		texts.push(text);
	}
	const rows = texts.flatMap((text) => decodeRows(text)).slice(offset, offset + limit);
	const results = rows.map((row) => {
		assert(!isDeferred(row), 'a completed job has final rows only');
		return renderRow(row);
	});
	return { results, pagination };
}

function totalOf(job: JobRecord, list: 'all' | 'catch_all' | Status): number {
	if (list === 'all') return job.accepted;
	return list === 'catch_all' ? job.counts.catchAll : job.counts[list];
}
