import { OWNERS_KEY_ID } from '../verify/verify-for-owner.ts';
import { decodeRejected } from '../../core/jobs/clean-list.ts';
import type { Rejected } from '../../core/jobs/clean-list.ts';
import { paginate, ROWS_PER_PAGE } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { evidenceIn, renderRow } from '../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import { scoreAt } from '../../core/jobs/task-verdicts.ts';
import type { TaskScores } from '../../core/jobs/task-verdicts.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, ListState } from './port.ts';
import {
	readLines,
	readRows,
	readTaskScores,
	requireResults,
	resultsExpired,
} from './steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';

const PAGE_SIZE = 25;

/** Where a list came from: the pages, or a key. */
export const LIST_SOURCES = ['upload', 'api'] as const;
export type ListSource = (typeof LIST_SOURCES)[number];

/** A page of the account's lists, newest first. */
export async function findLists(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: {
		readonly state: ListState;
		readonly search: string;
		/** Null: any. */
		readonly from: ListSource | null;
		/** From 1. */
		readonly page: number;
	},
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { state, search, from, page } = request;
	const madeWith = from === null ? null : { keyId: OWNERS_KEY_ID, is: from === 'upload' };
	const query = { state, search, madeWith, page, pageSize: PAGE_SIZE };
	const { jobs, total } = await services.accounts(account.accountId).findLists(query);
	return { jobs, pagination: paginate(total, page, PAGE_SIZE) };
}

/**
 * A page of the elements that were taken out of a job's list, in the list's order: from the job's creation until its
 * results expire. Throws `results_expired` after that.
 */
export async function readRejected(
	{ clock, jobBlobs }: ReadResultsServices,
	request: Omit<ReadResultsRequest, 'list'> & { readonly reason?: Rejected['reason'] | null },
): Promise<{ rejected: readonly Rejected[]; pagination: Pagination }> {
	const { job, reason = null, page, limit } = request;
	if (job.resultsExpiresAt !== null && clock.now() >= job.resultsExpiresAt) throw resultsExpired(job);
	const read = async (stored: number): Promise<string> => {
		const text = await jobBlobs.readRejected(job.jobId, stored);
		// Deleted a moment ago.
		if (text === null)
			throw new ServiceError('results_expired', 'The rejected elements are not kept any more');
		return text;
	};
	const all = job.duplicates + job.invalid;
	if (reason === null) {
		const { lines, pagination } = await readLines(job, { total: all, page, limit }, read);
		return { rejected: lines.map(decodeRejected), pagination };
	}
	// Rows of one reason are not stored apart: pages are read until the wanted one is full.
	const total = reason === 'malformed' ? job.invalid : job.duplicates;
	const end = Math.min(page * limit, total);
	const found: Rejected[] = [];
	for (let stored = 0; stored * ROWS_PER_PAGE < all && found.length < end; stored += 1)
		found.push(
			...(await read(stored))
				.split('\n')
				.map(decodeRejected)
				.filter((one) => one.reason === reason),
		);
	return {
		rejected: found.slice((page - 1) * limit, end),
		pagination: paginate(total, page, limit),
	};
}

/** A row as the API shows it; `index`: the position among the accepted addresses, from 0. */
export type IndexedResult = { readonly index: number } & VerificationResult;

/** The row with the score of the last catch-all check beside its own result. */
export function renderWith(scores: TaskScores | null, row: FinalRow): IndexedResult {
	return { index: row[0], ...renderRow(row, scoreAt(scores, row[0])) };
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

/** The report of a completed list as a whole, with its last catch-all check. Throws as `readResults` does. */
export async function readReport(
	{ clock, jobBlobs }: ReadResultsServices,
	{ job }: { readonly job: JobRecord },
): Promise<Report> {
	requireResults(job, clock.now());
	const text = await jobBlobs.readSummary(job.verdictsTaskId ?? job.jobId, 'report');
	// The alarm may have just deleted it.
	if (text === null) throw resultsExpired(job);
	return JSON.parse(text) as Report;
}
