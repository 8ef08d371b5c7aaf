import type { z } from '@hono/zod-openapi';
import type { JobRecord } from '../operations/jobs/port.ts';
import type { job as jobSchema } from './job-schemas.ts';

export type Job = z.infer<typeof jobSchema>;

/** A job in the API's form. */
export function renderJob(job: JobRecord, now: number): Job {
	return {
		jobId: job.jobId,
		status: job.status,
		name: job.name,
		submittedEmails: job.submitted,
		totalEmails: job.accepted,
		acceptedEmails: job.accepted,
		rejectedEmails: job.duplicates + job.invalid,
		duplicateEmails: job.duplicates,
		invalidEmails: job.invalid,
		processedEmails: job.processed,
		progress: progressOf(job),
		statusCounts: { ...job.counts },
		waitingEmails: job.waiting,
		nextAttemptAt: timestamp(job.nextAttemptAt),
		creditsReserved: job.creditsReserved,
		creditsUsed: job.creditsUsed,
		creditsRefunded: job.creditsRefunded,
		validationFlags: { auto_catchall_rescue: job.rescuesCatchAll },
		createdAt: new Date(job.createdAt).toISOString(),
		updatedAt: new Date(job.updatedAt).toISOString(),
		completedAt: timestamp(job.completedAt),
		estimatedCompletionAt: timestamp(estimateFrom(job, now)),
		resultsExpiresAt: timestamp(job.resultsExpiresAt),
		resultsExpired: isExpired(job, now),
		catchAllTaskId: job.catchAllTaskId,
		error: job.error,
	};
}

/** How far a job or a task has come. */
export function progressOf({ accepted, processed }: JobRecord): Job['progress'] {
	const percentage = accepted === 0 ? 100 : Math.floor((100 * processed) / accepted);
	return { total: accepted, processed, percentage };
}

/** Spec §3, rule 2. */
export function isExpired({ resultsExpiresAt }: JobRecord, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}

/** Epoch milliseconds as ISO 8601. */
export function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}

/** Never in the past: what takes longer than estimated is done at any moment. */
export function estimateFrom({ estimatedCompletionAt }: JobRecord, now: number): number | null {
	return estimatedCompletionAt === null ? null : Math.max(estimatedCompletionAt, now);
}
