import type { z } from '@hono/zod-openapi';
import { PRICE } from '../core/credits/price.ts';
import { assert } from '../lib/assert.ts';
import type { JobRecord } from '../operations/jobs/port.ts';
import { isExpired, progressOf, timestamp } from './render-job.ts';
import type { task as taskSchema } from './task-schemas.ts';

export type Task = z.infer<typeof taskSchema>;

/** A catch-all task in the API's form. */
export function renderTask(task: JobRecord, now: number): Task {
	const { deliverable, undeliverable, unknown } = task.counts;
	assert(task.sourceJobId !== null, 'a task has a source');
	return {
		taskId: task.jobId,
		sourceJobId: task.sourceJobId,
		status: task.status,
		name: task.name,
		totalEmails: task.accepted,
		processedEmails: task.processed,
		progress: progressOf(task),
		creditsRequired: task.accepted * PRICE.catchall,
		creditsPerEmail: PRICE.catchall,
		creditsUsed: task.creditsUsed,
		creditsRefunded: task.creditsRefunded,
		verdictCounts: { valid: deliverable, invalid: undeliverable, unknown },
		waitingEmails: task.waiting,
		nextAttemptAt: timestamp(task.nextAttemptAt),
		createdAt: new Date(task.createdAt).toISOString(),
		updatedAt: new Date(task.updatedAt).toISOString(),
		completedAt: timestamp(task.completedAt),
		resultsExpiresAt: timestamp(task.resultsExpiresAt),
		resultsExpired: isExpired(task, now),
		error: task.error,
	};
}
