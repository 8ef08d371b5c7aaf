import { describeError, log } from '../../lib/log.ts';
import type { AccountContext, Outside } from './context.ts';
import { pruneCalls } from './credits/keyed-calls.ts';
import { RESERVATION_LIFETIME_MS } from './credits/reservation-lifetime.ts';
import { releaseStale } from './credits/reservations.ts';
import type { Round } from './jobs/step.ts';

/** What is due at `now`, already planned again for later in case it fails, and when the alarm rings next. */
export function findDue(account: AccountContext, now: number): Round {
	const { credits, jobs, wakeBy } = account;
	const callEndsAt = pruneCalls(account, now);
	if (callEndsAt !== null) wakeBy(callEndsAt);
	const oldest = releaseStale(credits, now);
	if (oldest !== null) wakeBy(oldest + RESERVATION_LIFETIME_MS);
	const { answer, wakeAt } = jobs.wake(now);
	if (wakeAt !== null) wakeBy(wakeAt);
	return answer;
}

/**
 * Carries out what is due. Whatever fails here was planned again beforehand.
 *
 * @param purged called for each job whose blobs were deleted
 */
export async function carryOut(
	outside: Outside,
	accountId: string,
	{ parts, expired }: Round,
	purged: (jobId: string) => void,
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
			purged(jobId);
		} catch (error) {
			log('blobs_not_deleted', { account: accountId, jobId, ...describeError(error) });
		}
	}
}
