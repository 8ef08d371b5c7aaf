import type { z } from '@hono/zod-openapi';
import type { BalanceView } from '../core/credits/balance.ts';
import type { credits } from './schemas.ts';
import { TEST_EVENT } from '../core/webhooks/events.ts';
import type { SentEventType } from '../core/webhooks/events.ts';
import { expectedEnd } from '../core/jobs/estimate.ts';
import type { JobKind } from '../core/jobs/kinds/kinds.ts';
import type { JobRecord } from '../operations/jobs/port.ts';
import type { DeliveryView, WebhookEvent, WebhookView } from '../operations/webhooks/port.ts';
import type { job as jobSchema } from './jobs/schemas.ts';
import { PRICE } from '../core/credits/price.ts';
import { assert } from '../lib/assert.ts';
import { percentOf } from '../lib/share.ts';
import type { task as taskSchema } from './jobs/task-schemas.ts';
import { DELIVERY_FAULTS } from '../core/webhooks/delivery.ts';
import type { delivery as deliverySchema, webhook as webhookSchema } from './webhooks/schemas.ts';

/** The balance in the API's form. */
export function renderBalance(balance: BalanceView): z.infer<typeof credits> {
	return { ...balance, lastTransactionAt: timestamp(balance.lastTransactionAt) };
}

const RENDER = { verification: renderJob, catchall: renderTask } as const satisfies Record<
	JobKind,
	(job: JobRecord, now: number) => object
>;

/**
 * The body of an event: what GET would answer about its subject when it happened.
 *
 * @param test it is of the account of test keys
 */
export function renderEvent(event: WebhookEvent, test: boolean): string {
	const bodyOf = (type: SentEventType, at: number, data: object): string =>
		JSON.stringify({ type, timestamp: new Date(at).toISOString(), test, data });
	switch (event.about) {
		case 'job':
			return bodyOf(event.type, event.at, RENDER[event.job.kind](event.job, event.at));
		case 'credits':
			return bodyOf('credits.low', event.at, {
				...renderBalance(event.balance),
				creditsLowBelow: event.below,
			});
		case 'test':
			return bodyOf(TEST_EVENT, event.at, { webhookId: event.webhookId });
	}
}

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
function progressOf({ accepted, processed }: JobRecord): Job['progress'] {
	const percentage = accepted === 0 ? 100 : percentOf(processed, accepted);
	return { total: accepted, processed, percentage };
}

/** Spec §3, rule 2. */
function isExpired({ resultsExpiresAt }: JobRecord, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}

/** Epoch milliseconds as ISO 8601. */
function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}

/** Never in the past: what takes longer than estimated is done at any moment. */
function estimateFrom(job: JobRecord, now: number): number | null {
	const at = expectedEnd(job, now);
	return at === null ? null : Math.max(at, now);
}

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

/** An endpoint in the API's form. */
export function renderWebhook(webhook: WebhookView): z.infer<typeof webhookSchema> {
	return {
		webhookId: webhook.webhookId,
		url: webhook.url,
		events: [...webhook.events],
		enabled: webhook.disabledAt === null,
		disabledBecause: webhook.disabledBecause,
		disabledAt: timestamp(webhook.disabledAt),
		failingSince: timestamp(webhook.failingSince),
		formerSecretUntil: timestamp(webhook.formerSecretUntil),
		createdAt: new Date(webhook.createdAt).toISOString(),
	};
}

/** A delivery in the API's form. */
export function renderDelivery(delivery: DeliveryView): z.infer<typeof deliverySchema> {
	return {
		eventId: delivery.id,
		type: delivery.kind,
		status: delivery.status,
		attempts: delivery.attempts,
		createdAt: new Date(delivery.at).toISOString(),
		nextAttemptAt: timestamp(delivery.dueAt),
		lastAttemptAt: timestamp(delivery.lastAt),
		lastStatusCode: delivery.lastCode,
		lastError: delivery.fault === null ? null : DELIVERY_FAULTS[delivery.fault],
	};
}
