import { forecast } from '../../../core/jobs/estimate.ts';
import { finalRows, PARTS_IN_FLIGHT_MAX, isInFlight, isStuck, nextSendAt } from '../../../core/jobs/part.ts';
import { assert } from '../../../lib/assert.ts';
import { NO_WAITS } from '../../../operations/jobs/port.ts';
import type { JobRecord, PartView } from '../../../operations/jobs/port.ts';
import type { JobTotals, StoredJob, StoredPart } from './rows.ts';
import type { AccountJobsStorage } from './storage.ts';

/** A job as operations see it. Its credits follow from its parts; those of a failed job from what it kept. */
export function recordOf(
	job: StoredJob,
	{ counts, deferred, waiting, waits, nextAttemptAt, lastDueAt, settledAt, lanes }: JobTotals,
	checks: Pick<AccountJobsStorage, 'lastCheckOf' | 'lastAnswersOf'>,
): JobRecord {
	const processed = finalRows(counts);
	assert(processed + deferred === job.accepted, 'the parts hold every accepted address once');
	const running = job.status === 'processing';
	const completedAt = job.status === 'completed' ? job.endedAt : null;
	const { jobId, kind, sourceJobId, status, name, submitted, accepted, duplicates, invalid, parts } = job;
	const { createdAt, error, price } = job;
	const creditsUsed = status === 'failed' ? (job.kept ?? 0) : (processed - counts.unknown) * price;
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
		waits: running ? waits : NO_WAITS,
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
		verdictsTaskId: completedAt === null ? null : checks.lastAnswersOf(jobId),
		againJobId: completedAt === null ? null : checks.lastCheckOf(jobId, 'verification'),
		error,
	};
}

/** The parts that drive a job, as operators see them. */
export function viewParts(driven: readonly StoredPart[], now: number): readonly PartView[] {
	const inFlight = driven.filter(({ part }) => isInFlight(part)).length;
	return driven.map(({ n, part }) => ({
		part: n,
		addresses: part.count,
		open: part.tally.deferred,
		attempts: part.attempts,
		claims: part.claims,
		sends: part.sends,
		dueAt: part.dueAt,
		nextMessageAt: nextSendAt(part),
		leaseUntil: part.lease?.until ?? null,
		postponedSince: part.postponedSince,
		stuck: isStuck(part, now) && (isInFlight(part) || inFlight < PARTS_IN_FLIGHT_MAX),
	}));
}
