import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import { ROWS_PER_PAGE, pageSpan, paginate } from '../../../core/jobs/pages.ts';
import type { Pagination, ResultList } from '../../../core/jobs/pages.ts';
import { keptInWords } from '../../../core/jobs/retention.ts';
import { decodeRow, isDeferred } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { JobBlobs } from '../job-blobs-port.ts';
import type { JobRecord } from '../port.ts';

export interface ReadResultsServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
}

export interface ReadResultsRequest {
	/** A job, or a task. */
	readonly job: JobRecord;
	/** From 1. */
	readonly page: number;
	readonly limit: number;
	readonly list: ResultList;
}

/** A page of a list of a completed job. */
export async function readRows(
	services: ReadResultsServices,
	{ job, page, limit, list }: ReadResultsRequest,
): Promise<{ rows: readonly FinalRow[]; pagination: Pagination }> {
	requireResults(job, services.clock.now());
	const total = totalOf(job, list);
	const pagination = paginate(total, page, limit);
	if ((page - 1) * limit >= total) return { rows: [], pagination };
	const { firstBlob, lastBlob, offset } = pageSpan(page, limit);
	const lastFilled = Math.floor((total - 1) / ROWS_PER_PAGE);
	const lines: string[] = [];
	for (let blob = firstBlob; blob <= Math.min(lastBlob, lastFilled); blob += 1)
		lines.push(...(await readPage(services.jobBlobs, job, list, blob)));
	return { rows: lines.slice(offset, offset + limit).map(finalRow), pagination };
}

/** All rows of a list, with only one page in memory at a time. */
export async function* streamRows(
	{ jobBlobs }: ReadResultsServices,
	job: JobRecord,
	list: ResultList,
): AsyncGenerator<FinalRow> {
	const pages = Math.ceil(totalOf(job, list) / ROWS_PER_PAGE);
	for (let page = 0; page < pages; page += 1)
		for (const line of await readPage(jobBlobs, job, list, page)) yield finalRow(line);
}

const NOT_READY = { processing: 'not_completed', failed: 'failed' } as const;

/** Throws unless the job's results can be read: 409 while it runs or when it failed, 410 once they expired. */
export function requireResults(job: JobRecord, now: number): void {
	if (job.status !== 'completed') {
		const { status } = job;
		const { noun } = JOB_KINDS[job.kind];
		const text = `The ${noun} is ${status}, not completed`;
		throw new ServiceError(`${noun}_${NOT_READY[status]}`, text, { details: { status } });
	}
	assert(job.resultsExpiresAt !== null, 'a completed job has an expiry');
	if (now >= job.resultsExpiresAt) throw resultsExpired(job);
}

/** The error for results that have expired. */
export function resultsExpired(job: JobRecord): ServiceError {
	return new ServiceError(
		'results_expired',
		job.deletedAt === null
			? `Results are kept for ${keptInWords(job)} and have expired`
			: 'The results were deleted on request',
	);
}

/** The lines of one stored page. */
export async function readPage(
	jobBlobs: JobBlobs,
	job: JobRecord,
	list: ResultList,
	page: number,
): Promise<readonly string[]> {
	const text = await jobBlobs.readPage(job.jobId, list, page);
	// The alarm may have just deleted it.
	if (text === null) throw resultsExpired(job);
	return text.split('\n');
}

/** A line of a completed job's page. */
export function finalRow(line: string): FinalRow {
	const row = decodeRow(line);
	assert(!isDeferred(row), 'a completed job has final rows only');
	return row;
}

/** The number of rows in a list of a completed job. */
export function totalOf(job: JobRecord, list: ResultList): number {
	if (list === 'all') return job.accepted;
	return list === 'catch_all' ? job.counts.catchAll : job.counts[list];
}
