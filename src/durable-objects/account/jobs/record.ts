import { forecast } from '../../../core/jobs/estimate.ts';
import { finalRows } from '../../../core/jobs/part.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { CreditStorage } from '../credits/storage.ts';
import type { JobTotals, StoredJob } from './rows.ts';
import type { AccountJobsStorage } from './storage.ts';

/**
 * A job as operations see it. Its credits follow from its rows; those of a failed one from its line in the ledger, or
 * from what was kept of it.
 */
export function recordOf(
	job: StoredJob,
	{ counts, deferred, waiting, nextAttemptAt, lastDueAt, settledAt, lanes }: JobTotals,
	ledger: Pick<CreditStorage, 'findLine'>,
	checks: Pick<AccountJobsStorage, 'lastCheckOf' | 'lastAnswersOf'>,
): JobRecord {
	const processed = finalRows(counts);
	assert(processed + deferred === job.accepted, 'the parts hold every accepted address once');
	const running = job.status === 'processing';
	const completedAt = job.status === 'completed' ? job.endedAt : null;
	const { jobId, kind, sourceJobId, status, name, submitted, accepted, duplicates, invalid, parts } = job;
	const { createdAt, error, price } = job;
	// Nothing, except for a job that failed under an earlier version, which did not refund.
	const keptOfFailed =
		status === 'failed' ? (job.kept ?? ledger.findLine(createdAt, jobId)?.charged ?? 0) : 0;
	const creditsUsed = status === 'failed' ? keptOfFailed : (processed - counts.unknown) * price;
	const expected = running ? forecast({ createdAt, lanes, lastDueAt }) : null;
	return {
		jobId,
		kind,
		sourceJobId,
		status,
		name,
		keyId: job.keyId,
		rescuesCatchAll: job.rescuesCatchAll,
		mailWhenDone: job.mailWhenDone,
		submitted,
		accepted,
		duplicates,
		invalid,
		parts,
		processed,
		counts,
		creditsReserved: running ? deferred * price : 0,
		creditsUsed,
		creditsRefunded: processed * price - creditsUsed,
		waiting: running ? waiting : 0,
		nextAttemptAt: running ? nextAttemptAt : null,
		createdAt,
		updatedAt: Math.max(createdAt, settledAt ?? 0, job.endedAt ?? 0),
		finishedAt: job.finishedAt,
		completedAt,
		deletedAt: job.deletedAt,
		estimatedCompletionAt: expected?.at ?? null,
		heldUpBy: expected?.heldUpBy ?? null,
		resultsExpiresAt:
			completedAt === null
				? null
				: Math.min(completedAt + job.timing.resultsTtlMs, job.deletedAt ?? Infinity),
		// Only completed jobs are checked further.
		catchAllTaskId: completedAt === null ? null : checks.lastCheckOf(jobId, 'catchall'),
		verdictsTaskId: completedAt === null ? null : checks.lastAnswersOf(jobId, 'catchall'),
		againJobId: completedAt === null ? null : checks.lastCheckOf(jobId, 'verification'),
		answersJobId: completedAt === null ? null : checks.lastAnswersOf(jobId, 'verification'),
		error,
	};
}
