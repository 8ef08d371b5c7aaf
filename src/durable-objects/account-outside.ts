import { blobPrefixOf } from '../core/jobs/blob-prefix.ts';
import { sendInBatches } from '../lib/send-in-batches.ts';
import type { JobKind, PartMessage } from '../operations/jobs-port.ts';

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
