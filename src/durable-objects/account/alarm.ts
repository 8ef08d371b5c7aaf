import { describeError, log } from '../../lib/log.ts';
import type { AccountContext, Outside } from './context.ts';
import { RESERVATION_LIFETIME_MS, releaseStale } from './credits/reservations.ts';
import type { Round as JobRound } from './jobs/jobs.ts';
import type { WebhookRound } from './webhooks/webhooks.ts';

/** What the alarm has to do outside of the object. */
export interface Round {
	readonly jobs: JobRound;
	readonly webhooks: WebhookRound;
}

/** What is due at `now`, already planned again for later in case it fails, and when the alarm rings next. */
export function findDue({ credits, jobs, webhooks, wakeBy }: AccountContext, now: number): Round {
	const oldest = releaseStale(credits, now);
	if (oldest !== null) wakeBy(oldest + RESERVATION_LIFETIME_MS);
	const { answer, wakeAt } = jobs.wake(now);
	if (wakeAt !== null) wakeBy(wakeAt);
	return { jobs: answer, webhooks: webhooks.wake(now) };
}

/**
 * Carries out what is due. Whatever fails here was planned again beforehand.
 *
 * @param done called for each job whose blobs were deleted, and for each endpoint of which the owner was told
 */
export async function carryOut(
	outside: Outside,
	accountId: string,
	{ jobs: { parts, expired }, webhooks: { tell } }: Round,
	done: { readonly purged: (jobId: string) => void; readonly told: (webhookId: string) => void },
): Promise<void> {
	try {
		for (const [queue, some] of Map.groupBy(parts, (part) => part.queue))
			await outside.sendParts(
				queue,
				some.map(({ jobId, part }) => ({ accountId, jobId, part })),
			);
	} catch (error) {
		log('parts_not_sent', { account: accountId, parts: parts.length, ...describeError(error) });
	}
	for (const jobId of expired) {
		try {
			await outside.deleteBlobs(jobId);
			done.purged(jobId);
		} catch (error) {
			log('blobs_not_deleted', { account: accountId, jobId, ...describeError(error) });
		}
	}
	for (const { webhookId, url, disabledBecause } of tell) {
		if (disabledBecause === null || disabledBecause === 'owner') continue;
		try {
			await outside.tellDisabled({ accountId, webhookId, url, because: disabledBecause });
			done.told(webhookId);
		} catch (error) {
			log('owner_not_told', { account: accountId, webhook: webhookId, ...describeError(error) });
		}
	}
}
