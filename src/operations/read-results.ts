import { ROWS_PER_PAGE, pageSpan, paginate } from '../core/jobs/pages.ts';
import type { Pagination, ResultFilter } from '../core/jobs/pages.ts';
import { decodeRows, isDeferred, renderRow } from '../core/jobs/stored-row.ts';
import type { PartRow } from '../core/jobs/stored-row.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import { ServiceError } from '../errors.ts';
import { assert } from '../lib/assert.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobRecord } from './jobs-port.ts';
import type { Clock } from './ports.ts';

export interface ReadResultsServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
}

/** All rows of a job, or those of one status or of catch-all domains. */
export type ResultList = 'all' | ResultFilter;

/** A page of a completed job's results (spec §3, rules 1 and 2): at most two blobs are read. */
export async function readResults(
	services: ReadResultsServices,
	job: JobRecord,
	ask: { readonly page: number; readonly limit: number; readonly list: ResultList },
): Promise<{ results: readonly VerificationResult[]; pagination: Pagination }> {
	requireResults(job, services.clock.now());
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
		if (text === null) throw resultsExpired();
		texts.push(text);
	}
	const rows = texts.flatMap((text) => decodeRows(text)).slice(offset, offset + limit);
	return { results: rows.map(renderFinal), pagination };
}

/** Throws `ServiceError` unless there are results: `wrong_state` before the job's end, `expired` 48 hours after it. */
export function requireResults(job: JobRecord, now: number): void {
	if (job.status !== 'completed')
		throw new ServiceError('wrong_state', `The job is ${job.status}, not completed`);
	assert(job.resultsExpiresAt !== null, 'a completed job has an expiry');
	if (now >= job.resultsExpiresAt) throw resultsExpired();
}

/** What is said when the results were there and are gone. */
export function resultsExpired(): ServiceError {
	return new ServiceError('expired', 'Results are kept for 48 hours and have expired');
}

/** A row of a completed job as callers read it. */
export function renderFinal(row: PartRow): VerificationResult {
	assert(!isDeferred(row), 'a completed job has final rows only');
	return renderRow(row);
}

/** How many rows a list of a completed job has. */
export function totalOf(job: JobRecord, list: ResultList): number {
	if (list === 'all') return job.accepted;
	return list === 'catch_all' ? job.counts.catchAll : job.counts[list];
}
