import { planListFacts } from '../../core/catchall/list/list-facts.ts';
import type { ListedAddress } from '../../core/catchall/list/list-facts.ts';
import { layOut } from '../../core/jobs/pages.ts';
import { ScoreCounter } from '../../core/jobs/score-counter.ts';
import { statusOf } from '../../core/verification/sub-status.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import { assert } from '../../lib/assert.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobKind, JobRecord, JobStore } from './port.ts';
import type { Clock } from '../../engine/ports.ts';

export interface CompleteJobServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
	readonly listJob: (accountId: string, job: JobRecord) => Promise<void>;
}

// A row of a job is some 120 characters, one of a task, with its breakdown, some 2,000, which take two octets each
// where one of them is beyond Latin-1.
const ROWS_PER_PASS: Readonly<Record<JobKind, number>> = { verification: 50_000, catchall: 4_000 };
// A Worker may hold six connections.
const READ_AHEAD = 4;

/**
 * Writes the pages of a job whose rows are all final, then says so. Repeating it writes the same pages and changes
 * nothing, so a crash anywhere is made good by the next message or by the account's alarm.
 */
export async function completeJob(
	services: CompleteJobServices,
	account: JobStore,
	accountId: string,
	jobId: string,
): Promise<void> {
	const job = await account.findJob(jobId);
	if (job === null || job.status !== 'processing' || job.processed < job.accepted) return;
	const { jobBlobs } = services;
	const attempts = await jobBlobs.lastAttempts(jobId, job.parts);
	const listed: ListedAddress[] = [];
	const scores = new ScoreCounter();
	const counts = await layOut({
		parts: () => readParts(jobBlobs, jobId, attempts),
		total: job.accepted,
		rowsPerPass: ROWS_PER_PASS[job.kind],
		put: ({ list, page, rows }) => jobBlobs.putPage(jobId, list, page, rows),
		see: (row) => {
			const [, email, subStatus, , catchAll] = row;
			if (job.kind === 'catchall') scores.count(row);
			// A catch-all task will want to know what the list says as a whole.
			else if (job.counts.catchAll > 0) listed.push(listedAs(email, subStatus, catchAll));
		},
	});
	if (job.kind === 'catchall') await jobBlobs.putScores(jobId, scores.encode());
	if (listed.length > 0) await jobBlobs.putFacts(jobId, JSON.stringify(planListFacts(listed)));
	assert(
		counts.deliverable === job.counts.deliverable && counts.unknown === job.counts.unknown,
		'the results are what was charged for',
	);
	const now = services.clock.now();
	// The list first: once the account says completed, nobody comes back to mend the list.
	await services.listJob(accountId, { ...job, status: 'completed', completedAt: now });
	await account.completeJob({ jobId, now });
}

function listedAs(email: string, subStatus: SubStatus, catchAll: boolean | null): ListedAddress {
	return { email, status: statusOf(subStatus), catchAll: catchAll === true };
}

/** The rows of all parts, a few reads ahead of who takes them. */
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

/** Ends a job whose input is gone: what it had reserved and not charged is released. */
export async function failJob(
	{ clock, listJob }: CompleteJobServices,
	account: JobStore,
	{ accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<void> {
	const job = await account.findJob(jobId);
	if (job === null || job.status !== 'processing') return;
	// The list first, as above.
	await listJob(accountId, { ...job, status: 'failed' });
	await account.failJob({ jobId, now: clock.now(), error: "The job's input is gone" });
}
