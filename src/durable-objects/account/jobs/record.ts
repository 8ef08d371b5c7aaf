import { finalRows } from '../../../core/jobs/part.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { JobTotals, StoredJob } from './storage.ts';

/** A job as callers see it. Its credits are what its rows say. */
export function recordOf(
	job: StoredJob,
	{ counts, deferred, waiting, nextAttemptAt, settledAt }: JobTotals,
): JobRecord {
	const processed = finalRows(counts);
	assert(processed + deferred === job.accepted, 'the parts hold every accepted address once');
	const running = job.status === 'processing';
	const completedAt = job.status === 'completed' ? job.endedAt : null;
	const { jobId, kind, sourceJobId, status, name, submitted, accepted, duplicates, invalid, parts } = job;
	const { createdAt, error } = job;
	return {
		jobId,
		kind,
		sourceJobId,
		status,
		name,
		submitted,
		accepted,
		duplicates,
		invalid,
		parts,
		processed,
		counts,
		creditsReserved: running ? deferred : 0,
		creditsUsed: processed - counts.unknown,
		creditsRefunded: counts.unknown,
		waiting: running ? waiting : 0,
		nextAttemptAt: running ? nextAttemptAt : null,
		createdAt,
		updatedAt: Math.max(createdAt, settledAt ?? 0, job.endedAt ?? 0),
		completedAt,
		resultsExpiresAt: completedAt === null ? null : completedAt + job.timing.resultsTtlMs,
		error,
	};
}
