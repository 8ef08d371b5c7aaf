import { describeError, log } from '../../lib/log.ts';
import type { Outside } from './context.ts';
import type { Round } from './jobs/jobs.ts';

/**
 * Does what the alarm found to be due. What fails here was planned again beforehand.
 *
 * @param purged told of each job whose blobs are gone
 */
export async function carryOut(
	outside: Outside,
	accountId: string,
	{ parts, expired }: Round,
	purged: (jobId: string) => void,
): Promise<void> {
	try {
		for (const [kind, some] of Map.groupBy(parts, (part) => part.kind))
			await outside.sendParts(
				kind,
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
