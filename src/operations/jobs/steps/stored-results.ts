import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import { pageSpan, paginate, ROWS_PER_PAGE } from '../../../core/jobs/pages.ts';
import type { Pagination, ResultList } from '../../../core/jobs/pages.ts';
import { listed } from '../../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../../core/jobs/report/listed-row.ts';
import { keptInWords } from '../../../core/jobs/retention.ts';
import { decodeRow, isDeferred } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import { decodeScores } from '../../../core/jobs/task-verdicts.ts';
import type { TaskScores } from '../../../core/jobs/task-verdicts.ts';
import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import type { Services } from '../../../services.ts';
import type { JobRecord } from '../port.ts';

export type ReadResultsServices = Pick<Services, 'clock' | 'jobBlobs'>;

export interface ReadResultsRequest {
	/** A job, or a task. */
	readonly job: JobRecord;
	/** From 1. */
	readonly page: number;
	readonly limit: number;
	readonly list: ResultList;
}

// A Worker may hold six connections, and a file of the customer's may be read beside.
const READ_AHEAD = 3;

/** A page of a list of a completed job. */
export async function readRows(
	{ clock, jobBlobs }: ReadResultsServices,
	{ job, list, ...page }: ReadResultsRequest,
): Promise<{ rows: readonly FinalRow[]; pagination: Pagination }> {
	requireResults(job, clock.now());
	const read = (stored: number) => jobBlobs.readPage(job.jobId, list, stored);
	const { lines, pagination } = await readLines(job, { ...page, total: totalOf(job, list) }, read);
	return { rows: lines.map(finalRow), pagination };
}

/** A page of lines that are stored in pages of `ROWS_PER_PAGE`, of which it reads two at most. */
export async function readLines(
	job: JobRecord,
	{ total, page, limit }: { readonly total: number; readonly page: number; readonly limit: number },
	read: (stored: number) => Promise<string | null>,
): Promise<{ lines: readonly string[]; pagination: Pagination }> {
	const { pages, offset } = pageSpan(total, page, limit);
	const lines: string[] = [];
	for (const stored of pages) lines.push(...linesOf(job, await read(stored)));
	return { lines: lines.slice(offset, offset + limit), pagination: paginate(total, page, limit) };
}

/** All rows of a list, with a few stored pages read ahead of the consumer. */
export async function* streamRows(
	{ jobBlobs }: Pick<ReadResultsServices, 'jobBlobs'>,
	job: JobRecord,
	list: ResultList,
): AsyncGenerator<FinalRow, void, undefined> {
	const pages = Math.ceil(totalOf(job, list) / ROWS_PER_PAGE);
	for (let first = 0; first < pages; first += READ_AHEAD) {
		const some = Array.from({ length: Math.min(READ_AHEAD, pages - first) }, (_, at) => first + at);
		const texts = await Promise.all(some.map((page) => jobBlobs.readPage(job.jobId, list, page)));
		for (const text of texts) for (const line of linesOf(job, text)) yield finalRow(line);
	}
}

/** All rows of a completed list in its order, each with what the last catch-all check says of it. */
export async function* listedRows(
	services: Pick<ReadResultsServices, 'jobBlobs'>,
	job: JobRecord,
): AsyncGenerator<ListedRow, void, undefined> {
	const scores = await readTaskScores(services, job);
	for await (const row of streamRows(services, job, 'all')) yield listed(row, scores?.get(row[0]) ?? null);
}

/** The scores of the last catch-all check of a list. Null: none is kept. */
export async function readTaskScores(
	{ jobBlobs }: Pick<ReadResultsServices, 'jobBlobs'>,
	{ verdictsTaskId }: Pick<JobRecord, 'verdictsTaskId'>,
): Promise<TaskScores | null> {
	const text = verdictsTaskId === null ? null : await jobBlobs.readSummary(verdictsTaskId, 'scores');
	// They may have just expired.
	return text === null ? null : decodeScores(text);
}

const NOT_READY = { processing: 'not_completed', failed: 'failed' } as const;

/** Throws unless the job's results can be read: 409 while it runs or when it failed, 410 once they expired. */
export function requireResults(job: JobRecord, now: number): void {
	if (job.status !== 'completed') {
		const { status } = job;
		const { noun } = JOB_KINDS[job.kind];
		const text =
			status === 'failed'
				? `The ${noun} failed, so it has no results`
				: `The ${noun} is processing, not completed`;
		throw new ServiceError(`${noun}_${NOT_READY[status]}`, text, { details: { status } });
	}
	assert(job.resultsExpiresAt !== null, 'a completed job has an expiry');
	if (now >= job.resultsExpiresAt) throw resultsExpired(job);
}

/** The error for results that have expired. */
export function resultsExpired(job: JobRecord): ServiceError {
	if (job.deletedAt !== null)
		return new ServiceError('results_expired', 'The results were deleted on request');
	// The word `expired` of a test key: kept for no time at all.
	const wasKept = job.resultsExpiresAt !== job.completedAt;
	const text = wasKept
		? `Results are kept for ${keptInWords(job)} and have expired`
		: 'The results have expired';
	return new ServiceError('results_expired', text);
}

/** The lines of a stored page. */
function linesOf(job: JobRecord, text: string | null): readonly string[] {
	// The alarm may have just deleted it.
	if (text === null) throw resultsExpired(job);
	return text.split('\n');
}

/** A line of a completed job's page. */
function finalRow(line: string): FinalRow {
	const row = decodeRow(line);
	assert(!isDeferred(row), 'a completed job has final rows only');
	return row;
}

/** The number of rows in a list of a completed job. */
function totalOf(job: JobRecord, list: ResultList): number {
	if (list === 'all') return job.accepted;
	return list === 'catch_all' ? job.counts.catchAll : job.counts[list];
}
