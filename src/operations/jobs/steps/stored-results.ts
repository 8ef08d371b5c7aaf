import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import { pageSpan, paginate, ROWS_PER_PAGE } from '../../../core/jobs/pages.ts';
import type { Pagination, ResultList } from '../../../core/jobs/pages.ts';
import { keptInWords } from '../../../core/jobs/retention.ts';
import { decodeRow, isDeferred, renderRow } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobBlobs } from '../job-blobs-port.ts';
import type { JobRecord } from '../port.ts';
import { answeredAgain, listed } from '../../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../../core/jobs/report/listed-row.ts';
import { TaskVerdicts } from '../../../core/jobs/task-verdicts.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { VerificationResult } from '../../../core/verification/render.ts';
import type { Services } from '../../../services.ts';
import type { AccountsFor } from '../../accounts/object-port.ts';

export type ReadResultsServices = Pick<Services, 'clock' | 'jobBlobs'>;

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

/** The lines of one stored page. */
async function readPage(
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
function finalRow(line: string): FinalRow {
	const row = decodeRow(line);
	assert(!isDeferred(row), 'a completed job has final rows only');
	return row;
}

/** The number of rows in a list of a completed job. */
export function totalOf(job: JobRecord, list: ResultList): number {
	if (list === 'all') return job.accepted;
	return list === 'catch_all' ? job.counts.catchAll : job.counts[list];
}

export interface ListedRowsServices extends ReadResultsServices {
	readonly accounts: AccountsFor<'findJob'>;
}

// A Worker may hold six connections, and the list that asked again is read beside its source.
const READ_AHEAD = 3;
// Lists that ask again the rows of one that asks again: each is read beside the one before.
const DEPTH_MAX = 3;

/**
 * All rows of a completed list in its order, each with what a catch-all check or a list that asked again found out about
 * it. A few stored pages are in memory at a time. Throws as `readPage` does.
 */
export async function* listedRows(
	services: ListedRowsServices,
	account: AccountRef,
	job: JobRecord,
	depth = 1,
): AsyncGenerator<ListedRow, void, undefined> {
	const verdicts = await readTaskVerdicts(services, job);
	const later = depth < DEPTH_MAX ? answersTo(services, account, job, depth) : null;
	let next = await later?.next();
	try {
		for await (const lines of pagesOf(services, job)) {
			for (const line of lines) {
				const row = finalRow(line);
				const found = listed(row, verdicts?.of(row[0]) ?? null);
				if (next?.done !== false || next.value.place !== row[0]) yield found;
				else {
					yield answeredAgain(found, next.value.row);
					next = await later?.next();
				}
			}
		}
	} finally {
		await later?.return();
	}
}

/** The list that asked a list's unknown addresses again. Null: none is completed, or its results are not kept. */
export async function findAnswers(
	{ accounts, clock }: ListedRowsServices,
	{ accountId }: AccountRef,
	{ answersJobId }: JobRecord,
): Promise<JobRecord | null> {
	const again = answersJobId === null ? null : await accounts(accountId).findJob(answersJobId);
	return (again?.resultsExpiresAt ?? 0) > clock.now() ? again : null;
}

/** The verdicts of the last catch-all check of a list. Null: none is kept. */
export async function readTaskVerdicts(
	{ jobBlobs }: Pick<ReadResultsServices, 'jobBlobs'>,
	{ verdictsTaskId }: JobRecord,
): Promise<TaskVerdicts | null> {
	if (verdictsTaskId === null) return null;
	const [places, verdicts] = await Promise.all([
		jobBlobs.readSummary(verdictsTaskId, 'places'),
		jobBlobs.readSummary(verdictsTaskId, 'verdicts'),
	]);
	// They may have just expired.
	return places === null || verdicts === null ? null : new TaskVerdicts(places, verdicts);
}

/** The rows of the list that asked again, each with its place in the first list; none if they are deleted. */
async function* answersTo(
	services: ListedRowsServices,
	account: AccountRef,
	job: JobRecord,
	depth: number,
): AsyncGenerator<{ readonly place: number; readonly row: ListedRow }, void, undefined> {
	const again = await findAnswers(services, account, job);
	const text = again === null ? null : await services.jobBlobs.readSummary(again.jobId, 'places');
	if (again === null || text === null) return;
	const places = JSON.parse(text) as readonly number[];
	let at = 0;
	try {
		for await (const row of listedRows(services, account, again, depth + 1)) {
			const place = places[at];
			at += 1;
			if (place !== undefined) yield { place, row };
		}
	} catch (error) {
		// Deleted while it was read: the first answers stand.
		if (!(error instanceof ServiceError && error.code === 'results_expired')) throw error;
	}
}

/** The stored pages of the whole list, a few read ahead of the consumer. */
async function* pagesOf(
	{ jobBlobs }: ReadResultsServices,
	job: JobRecord,
): AsyncGenerator<readonly string[], void, undefined> {
	const pages = Math.ceil(totalOf(job, 'all') / ROWS_PER_PAGE);
	for (let first = 0; first < pages; first += READ_AHEAD) {
		const some = Array.from({ length: Math.min(READ_AHEAD, pages - first) }, (_, at) => first + at);
		yield* await Promise.all(some.map((page) => readPage(jobBlobs, job, 'all', page)));
	}
}

/** Renders rows of a job, with what its last completed catch-all task says beside their own results. */
export class RowsWithVerdicts {
	readonly #services: Pick<ReadResultsServices, 'jobBlobs'>;
	readonly #job: JobRecord;
	#verdicts: Promise<TaskVerdicts | null> | null = null;

	constructor(services: Pick<ReadResultsServices, 'jobBlobs'>, job: JobRecord) {
		this.#services = services;
		this.#job = job;
	}

	/** `index`: the position among the accepted addresses, from 0. */
	async render(row: FinalRow): Promise<{ index: number } & VerificationResult> {
		const [index, , , , isCatchAll] = row;
		// Most rows are of other domains: a page of them needs no verdicts.
		if (isCatchAll !== true) return { index, ...renderRow(row) };
		const verdicts = await (this.#verdicts ??= readTaskVerdicts(this.#services, this.#job));
		return { index, ...renderRow(row, verdicts?.of(index) ?? null) };
	}

	async renderAll(rows: readonly FinalRow[]): Promise<readonly ({ index: number } & VerificationResult)[]> {
		return Promise.all(rows.map((row) => this.render(row)));
	}
}
