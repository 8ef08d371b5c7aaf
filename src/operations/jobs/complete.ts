import type { ListedAddress } from '../../core/catchall/list/list-facts.ts';
import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import { newRow } from '../../core/jobs/open-row.ts';
import { layOut } from '../../core/jobs/pages.ts';
import type { Entry } from '../../core/jobs/part-rows.ts';
import { listed } from '../../core/jobs/report/listed-row.ts';
import { ReportCounter } from '../../core/jobs/report/report.ts';
import { decodeRows, encodeRows, isDeferred, judgementOf } from '../../core/jobs/stored-row.ts';
import type { PartRow } from '../../core/jobs/stored-row.ts';
import { statusOf } from '../../core/verification/sub-status.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { streamRows } from './steps/stored-results.ts';

export type CompleteJobServices = Pick<Services, 'clock' | 'accounts' | 'jobBlobs'>;

/** Why a job fails. */
export const INPUT_GONE = "The job's input is gone";

// A Worker may hold six connections.
const READ_AHEAD = 4;

/**
 * Writes the pages of a job whose rows are all final, and what a reader wants to know of it as a whole; then marks it as
 * completed. A repetition writes the same and changes nothing, so after a crash the next message or the account's alarm
 * finishes the work.
 */
export async function completeJob(
	services: CompleteJobServices,
	{ accountId }: AccountRef,
	{ jobId }: { readonly jobId: string },
): Promise<void> {
	const { jobBlobs, clock } = services;
	const jobs = services.accounts(accountId);
	const job = await jobs.findJob(jobId);
	if (job === null || job.status !== 'processing' || job.processed < job.accepted) return;
	const attempts = await jobs.attemptsOf({ jobId });
	// A job that was finished before anybody was asked about a part needs the part's input.
	const unasked = attempts.indexOf(0);
	if (unasked >= 0 && (await jobBlobs.readPart(jobId, unasked)) === null) {
		await jobs.failJob({ jobId, now: clock.now(), error: INPUT_GONE });
		return;
	}
	const { isDeep, rowsPerPass } = JOB_KINDS[job.kind];
	const report = new ReportCounter();
	const addresses: ListedAddress[] = [];
	const scores: number[] = [];
	const counts = await layOut({
		parts: await partsOf(services, job, attempts),
		total: job.accepted,
		rowsPerPass,
		put: ({ list, page, rows }) => jobBlobs.putPage(jobId, list, page, rows),
		see: (row) => {
			report.see(listed(row, null));
			const [, email, subStatus, , catchAll] = row;
			if (isDeep) scores.push(judgementOf(row)?.score ?? Number.NaN);
			// A list without catch-all addresses needs no facts for a later task.
			else if (job.counts.catchAll > 0)
				addresses.push({ email, status: statusOf(subStatus), catchAll: catchAll === true });
		},
	});
	assert(!scores.includes(Number.NaN), 'every row of a task has a score');
	assert(
		counts.deliverable === job.counts.deliverable && counts.unknown === job.counts.unknown,
		'the results are what was charged for',
	);
	await jobBlobs.putSummary(jobId, 'report', JSON.stringify(report.report()));
	if (addresses.length > 0) {
		// It brings the dictionary of names, which a start of the API does not read.
		const { planListFacts } = await import('../../core/catchall/list/list-facts.ts');
		await jobBlobs.putSummary(jobId, 'facts', JSON.stringify(planListFacts(addresses)));
	}
	if (job.sourceJobId !== null && scores.length > 0)
		await storeChecked(services, jobId, { list: await jobs.findJob(job.sourceJobId), scores });
	await jobs.completeJob({ jobId, now: clock.now() });
}

/**
 * The rows of a job's parts, with a few reads ahead of the consumer. Each call begins with the first part. Rows that a job
 * left open which was finished early become `not_asked`, dated by its end, so that a repetition writes the same pages.
 */
async function partsOf(
	{ jobBlobs }: Pick<Services, 'jobBlobs'>,
	job: JobRecord,
	attempts: readonly number[],
): Promise<() => AsyncGenerator<string>> {
	const { jobId, finishedAt } = job;
	const close = finishedAt === null ? null : await closerOf(jobBlobs, job, finishedAt);
	const read = async (part: number, attempt: number): Promise<string> => {
		const text = await (attempt === 0
			? jobBlobs.readPart(jobId, part)
			: jobBlobs.readAttempt(jobId, part, attempt));
		assert(text !== null, `part ${part} has rows`);
		if (close === null) return text;
		const rows =
			attempt === 0
				? (JSON.parse(text) as readonly Entry[]).map((entry) => newRow(...entry))
				: decodeRows(text);
		return encodeRows(rows.map(close));
	};
	return async function* texts() {
		for (let first = 0; first < attempts.length; first += READ_AHEAD) {
			const some = attempts.slice(first, first + READ_AHEAD);
			yield* await Promise.all(some.map((attempt, at) => read(first + at, attempt)));
		}
	};
}

async function closerOf(
	jobBlobs: Services['jobBlobs'],
	job: JobRecord,
	finishedAt: number,
): Promise<(row: PartRow) => PartRow> {
	// They judge addresses, which a start of the API does not read.
	const { abandonedRow, depthOf } = await import('./steps/examine-part.ts');
	const depth = await depthOf(jobBlobs, job);
	return (row) =>
		isDeferred(row) ? abandonedRow([row[0], row[1], null, 'not_asked', 0, 0], depth, finishedAt) : row;
}

/** Stores what a task found out about its list: its scores by their places there, and the list's report with them. */
async function storeChecked(
	{ clock, jobBlobs }: Pick<Services, 'clock' | 'jobBlobs'>,
	taskId: string,
	{ list, scores }: { readonly list: JobRecord | null; readonly scores: readonly number[] },
): Promise<void> {
	// The results of the list have expired, so its owner can't read the scores there.
	if (list === null || (list.resultsExpiresAt ?? 0) <= clock.now()) return;
	const report = new ReportCounter();
	const byPlace: [number, number][] = [];
	try {
		for await (const row of streamRows({ jobBlobs }, list, 'all')) {
			// A task has all catch-all rows of its list, in their order.
			const score = row[4] === true ? scores[byPlace.length] : undefined;
			if (score !== undefined) byPlace.push([row[0], score]);
			report.see(listed(row, score ?? null));
		}
	} catch (error) {
		// Deleted meanwhile.
		if (error instanceof ServiceError && error.code === 'results_expired') return;
		throw error;
	}
	assert(byPlace.length === scores.length, 'every row of a task has its place in the list');
	await jobBlobs.putSummary(taskId, 'scores', JSON.stringify(byPlace));
	await jobBlobs.putSummary(taskId, 'checked', JSON.stringify(report.report()));
}
