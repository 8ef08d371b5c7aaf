import type { JobKind } from '../../core/jobs/kinds/kinds.ts';
import { pageSpan, paginate, ROWS_PER_PAGE } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, JobStatus, ListState } from './port.ts';
import { OWNERS_KEY_ID } from '../verify/verify-for-owner.ts';
import { decodeRejected } from '../../core/jobs/clean-list.ts';
import type { Rejected } from '../../core/jobs/clean-list.ts';
import {
	findAnswers,
	listedRows,
	readRows,
	requireResults,
	resultsExpired,
	RowsWithVerdicts,
} from './steps/stored-results.ts';
import type { ListedRowsServices, ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';
import { ServiceError } from '../../errors.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { evidenceIn } from '../../core/jobs/stored-row.ts';
import { ReportCounter } from '../../core/jobs/report/report.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import type { Services } from '../../services.ts';

const PAGE_SIZE = 25;

interface ListJobsRequest {
	/** Left out: jobs, no tasks. */
	readonly kind?: JobKind;
	/** From 1. */
	readonly page: number;
	/** Jobs a page; 25 if left out. */
	readonly limit?: number;
	/** Left out: any. */
	readonly status?: JobStatus | undefined;
}

/** A page of the account's jobs or tasks, newest first. */
export async function listJobs(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: ListJobsRequest,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { kind = 'verification', page, limit = PAGE_SIZE, status } = request;
	const query = { kind, status, page, pageSize: limit };
	const { jobs, total } = await services.accounts(account.accountId).listJobs(query);
	return { jobs, pagination: paginate(total, page, limit) };
}

/** Where a list came from: the pages, or a key. */
export const LIST_SOURCES = ['upload', 'api'] as const;
export type ListSource = (typeof LIST_SOURCES)[number];

interface FindListsRequest {
	readonly state: ListState;
	readonly search: string;
	/** Null: any. */
	readonly from: ListSource | null;
	/** From 1. */
	readonly page: number;
}

/** A page of the account's lists, newest first. */
export async function findLists(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: FindListsRequest,
): Promise<{ jobs: readonly JobRecord[]; pagination: Pagination }> {
	const { state, search, from, page } = request;
	const madeWith = from === null ? null : { keyId: OWNERS_KEY_ID, is: from === 'upload' };
	const query = { state, search, madeWith, page, pageSize: PAGE_SIZE };
	const { jobs, total } = await services.accounts(account.accountId).findLists(query);
	return { jobs, pagination: paginate(total, page, PAGE_SIZE) };
}

interface FindRejectedRequest {
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

/** A page of a completed job's results (spec §3, rules 1 and 2): at most two blobs are read, and two of a catch-all task. */
export async function readResults(
	services: ReadResultsServices,
	request: ReadResultsRequest & {
		/** Each row holds the evidence that is stored of it. */
		readonly explain?: boolean;
	},
): Promise<{ results: readonly ({ index: number } & VerificationResult)[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	const results = await new RowsWithVerdicts(services, request.job).renderAll(rows);
	if (request.explain !== true) return { results, pagination };
	const explained = rows.map((row, at) => ({ ...results[at], evidence: evidenceIn(row) }));
	return { results: explained as (typeof results)[number][], pagination };
}

/** The report as it is stored, with what it was made of. */
interface StoredReport {
	readonly madeOf: string;
	readonly report: Report;
}

// Raised when a report has other fields, so that stored ones are made anew.
const VERSION = 1;

/**
 * The report of a completed list as a whole. The first reading makes it from the rows, and so does the first one
 * after each later check; it is stored beside them, and a repetition makes the same report. Throws as `readResults`
 * does.
 */
export async function readReport(
	services: ListedRowsServices,
	account: AccountRef,
	request: { readonly job: JobRecord },
): Promise<Report> {
	const { job } = request;
	requireResults(job, services.clock.now());
	const madeOf = await sourcesOf(services, account, job);
	const text = await services.jobBlobs.readSummary(job.jobId, 'report');
	const stored = text === null ? null : (JSON.parse(text) as StoredReport);
	if (stored?.madeOf === madeOf) return stored.report;
	const counter = new ReportCounter();
	for await (const row of listedRows(services, account, job)) counter.see(row);
	const report = counter.report();
	const made: StoredReport = { madeOf, report };
	await services.jobBlobs.putSummary(job.jobId, 'report', JSON.stringify(made));
	return report;
}

/** The version, and the checks whose findings the rows hold: those of the list, and of the list that asked again. */
async function sourcesOf(services: ListedRowsServices, account: AccountRef, job: JobRecord): Promise<string> {
	const again = await findAnswers(services, account, job);
	const later = again === null ? '' : await sourcesOf(services, account, again);
	return [VERSION, job.verdictsTaskId ?? '', again?.jobId ?? '', later].join(' ');
}
