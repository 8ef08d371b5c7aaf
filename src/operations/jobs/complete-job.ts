import { JOB_KINDS } from '../../core/jobs/kinds/kinds.ts';
import { layOut } from '../../core/jobs/pages.ts';
import { assert } from '../../lib/assert.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, JobStore } from './port.ts';
import type { Clock } from '../../engine/ports.ts';

export interface CompleteJobServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => JobStore;
	readonly jobBlobs: JobBlobs;
	readonly listJob: (accountId: string, job: JobRecord) => Promise<void>;
}

// A Worker may hold six connections.
const READ_AHEAD = 4;

export interface CompleteJobRequest {
	readonly jobId: string;
}

/**
 * Writes the pages of a job whose rows are all final, then marks it as completed. A repetition writes the same pages
 * and changes nothing, so after a crash the next message or the account's alarm finishes the work.
 */
export async function completeJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: CompleteJobRequest,
): Promise<void> {
	const { accountId } = account;
	const { jobId } = request;
	const jobs = services.accounts(accountId);
	const job = await jobs.findJob(jobId);
	if (job === null || job.status !== 'processing' || job.processed < job.accepted) return;
	const { jobBlobs } = services;
	const attempts = await jobBlobs.lastAttempts(jobId, job.parts);
	const kind = JOB_KINDS[job.kind];
	const summary = kind.summarise(job.counts);
	const counts = await layOut({
		parts: () => readParts(jobBlobs, jobId, attempts),
		total: job.accepted,
		rowsPerPass: kind.rowsPerPass,
		put: ({ list, page, rows }) => jobBlobs.putPage(jobId, list, page, rows),
		see: (row) => summary.see(row),
	});
	for (const { name, text } of summary.texts()) await jobBlobs.putSummary(jobId, name, text);
	assert(
		counts.deliverable === job.counts.deliverable && counts.unknown === job.counts.unknown,
		'the results are what was charged for',
	);
	const now = services.clock.now();
	// The listing first: once the account has the job as completed, nothing would repair the listing.
	await services.listJob(accountId, { ...job, status: 'completed', completedAt: now });
	await jobs.completeJob({ jobId, now });
}

/** The rows of all parts, with a few reads ahead of the consumer. */
async function* readParts(
	jobBlobs: JobBlobs,
	jobId: string,
	attempts: readonly number[],
): AsyncGenerator<string> {
	for (let first = 0; first < attempts.length; first += READ_AHEAD) {
		const some = attempts.slice(first, first + READ_AHEAD);
		const texts = await Promise.all(
			some.map((attempt, at) => jobBlobs.readAttempt(jobId, first + at, attempt)),
		);
		for (const [at, text] of texts.entries()) {
			assert(text !== null, `part ${first + at} has rows`);
			yield text;
		}
	}
}
