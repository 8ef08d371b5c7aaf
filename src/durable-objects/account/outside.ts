import { blobPrefixOf } from '../../core/jobs/blob-prefix.ts';
import { describeError, log } from '../../lib/log.ts';
import { sendInBatches } from '../../lib/send-in-batches.ts';
import type { JobKind, PartMessage } from '../../operations/jobs/port.ts';
import type { Round } from './jobs/jobs.ts';

/** What the account's alarm needs of the world. Tests put their own in its place. */
export interface Outside {
	readonly now: () => number;
	readonly sendParts: (kind: JobKind, messages: readonly PartMessage[]) => Promise<void>;
	/** Deletes all that the bucket holds of a job. */
	readonly deleteBlobs: (jobId: string) => Promise<void>;
}

/** The real clock, queue and bucket. */
export function outsideOf({
	VERIFY_QUEUE,
	CATCHALL_QUEUE,
	BLOBS,
}: Pick<Cloudflare.Env, 'VERIFY_QUEUE' | 'CATCHALL_QUEUE' | 'BLOBS'>): Outside {
	const queues = { verification: VERIFY_QUEUE, catchall: CATCHALL_QUEUE };
	return {
		now: () => Date.now(),
		sendParts: (kind, messages) => sendInBatches(queues[kind], messages),
		deleteBlobs: async (jobId) => {
			let truncated = true;
			while (truncated) {
				// A page is at most 1000 keys, which is also the most that one `delete` takes. The next page is the
				// first one again, since this one is gone by then.
				const page = await BLOBS.list({ prefix: blobPrefixOf(jobId) });
				const keys = page.objects.map(({ key }) => key);
				if (keys.length > 0) await BLOBS.delete(keys);
				({ truncated } = page);
			}
		},
	};
}

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
