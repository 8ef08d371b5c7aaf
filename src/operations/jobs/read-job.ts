import { decodeRejected } from '../../core/jobs/clean-list.ts';
import type { Rejected } from '../../core/jobs/clean-list.ts';
import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { isByStatus, listed, matcherOf } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow, RowFilter } from '../../core/jobs/report/listed-row.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { evidenceIn, renderRow } from '../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import { renderVerdict } from '../../core/jobs/task-verdicts.ts';
import type { TaskScores, Verdict } from '../../core/jobs/task-verdicts.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import type { JobRecord } from './port.ts';
import {
	listedRows,
	readLines,
	readRows,
	readTaskScores,
	requireResults,
	resultsExpired,
} from './steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';

/**
 * A page of the elements that were taken out of a job's list, in the list's order: from the job's creation until its
 * results expire, or the owner deletes it, even one that failed. Throws `results_expired` after that.
 */
export async function readRejected(
	{ clock, jobBlobs }: ReadResultsServices,
	{ job, page, limit }: Omit<ReadResultsRequest, 'list'>,
): Promise<{ rejected: readonly Rejected[]; pagination: Pagination }> {
	if (clock.now() >= (job.resultsExpiresAt ?? job.deletedAt ?? Infinity)) throw resultsExpired(job);
	const read = (stored: number) => jobBlobs.readRejected(job.jobId, stored);
	const total = job.duplicates + job.invalid;
	const { lines, pagination } = await readLines(job, { total, page, limit }, read);
	return { rejected: lines.map(decodeRejected), pagination };
}

/** A row as the API shows it; `index`: the position among the accepted addresses, from 0. */
export type IndexedResult = { readonly index: number } & VerificationResult;

/** The row with the score of the last catch-all check beside its own result. */
export function renderWith(scores: TaskScores | null, row: FinalRow): IndexedResult {
	return { index: row[0], ...renderRow(row, scores?.get(row[0]) ?? null) };
}

/** A page of a completed job's results (spec §3, rules 1 and 2): at most two blobs are read, and one of a catch-all task. */
export async function readResults(
	services: ReadResultsServices,
	request: ReadResultsRequest & {
		/** Each row holds the evidence that is stored of it. */
		readonly explain?: boolean;
	},
): Promise<{ results: readonly IndexedResult[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	// Most rows are of other domains: a page of them needs no scores.
	const scores = rows.some((row) => row[4] === true) ? await readTaskScores(services, request.job) : null;
	const results = rows.map((row) => {
		const evidence = request.explain === true ? { evidence: evidenceIn(row) } : {};
		return { ...renderWith(scores, row), ...evidence };
	});
	return { results, pagination };
}

/** A page of a completed task's results. */
export async function readVerdicts(
	services: ReadResultsServices,
	request: ReadResultsRequest,
): Promise<{ results: readonly Verdict[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	return { results: rows.map(renderVerdict), pagination };
}

/**
 * A page of those rows of a completed list that pass a filter, in the list's order. A filter without a stored list reads
 * all rows, a hundred objects of a list of 50,000. Throws as `readResults` does.
 */
export async function findRows(
	services: ReadResultsServices,
	request: Omit<ReadResultsRequest, 'list'> & { readonly filter: RowFilter },
): Promise<{ rows: readonly ListedRow[]; pagination: Pagination }> {
	const { filter, ...wanted } = request;
	const { job, page, limit } = wanted;
	requireResults(job, services.clock.now());
	// A check moves rows from one status to another.
	const isStored = job.verdictsTaskId === null || filter.status === null || filter.status === 'catch_all';
	if (isStored && isByStatus(filter)) {
		const [{ rows, pagination }, scores] = await Promise.all([
			readRows(services, { ...wanted, list: filter.status ?? 'all' }),
			readTaskScores(services, job),
		]);
		return { rows: rows.map((row) => listed(row, scores?.get(row[0]) ?? null)), pagination };
	}
	const matches = matcherOf(filter);
	const first = (page - 1) * limit;
	const rows: ListedRow[] = [];
	let total = 0;
	for await (const row of listedRows(services, job)) {
		if (!matches(row)) continue;
		if (total >= first && total < first + limit) rows.push(row);
		total += 1;
	}
	return { rows, pagination: paginate(total, page, limit) };
}

/** The report of a completed job as a whole; that of a list with its last catch-all check. Throws as `readResults` does. */
export async function readReport(
	{ clock, jobBlobs }: ReadResultsServices,
	{ job }: { readonly job: JobRecord },
): Promise<Report> {
	requireResults(job, clock.now());
	const { jobId, verdictsTaskId: taskId } = job;
	const text = await (taskId === null
		? jobBlobs.readSummary(jobId, 'report')
		: jobBlobs.readSummary(taskId, 'checked'));
	// The alarm may have just deleted it.
	if (text === null) throw resultsExpired(job);
	return JSON.parse(text) as Report;
}
