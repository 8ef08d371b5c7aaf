import type { z } from '@hono/zod-openapi';
import type { JobRecord } from '../operations/jobs-port.ts';
import type { job as jobSchema } from './job-schemas.ts';

export type Job = z.infer<typeof jobSchema>;

/** A job as callers read it. */
export function renderJob(job: JobRecord, now: number): Job {
	const percentage = job.accepted === 0 ? 100 : Math.floor((100 * job.processed) / job.accepted);
	return {
		jobId: job.jobId,
		status: job.status,
		name: job.name,
		submittedEmails: job.submitted,
		totalEmails: job.accepted,
		acceptedEmails: job.accepted,
		rejectedEmails: job.duplicates + job.invalid,
		processedEmails: job.processed,
		progress: { total: job.accepted, processed: job.processed, percentage },
		statusCounts: { ...job.counts },
		waitingEmails: job.waiting,
		nextAttemptAt: timestamp(job.nextAttemptAt),
		creditsReserved: job.creditsReserved,
		creditsUsed: job.creditsUsed,
		creditsRefunded: job.creditsRefunded,
		createdAt: new Date(job.createdAt).toISOString(),
		updatedAt: new Date(job.updatedAt).toISOString(),
		completedAt: timestamp(job.completedAt),
		resultsExpiresAt: timestamp(job.resultsExpiresAt),
		resultsExpired: isExpired(job, now),
		error: job.error,
	};
}

/** Spec §3, rule 2. */
export function isExpired({ resultsExpiresAt }: JobRecord, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}

function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}
