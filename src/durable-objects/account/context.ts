import type { JobKind, PartMessage } from '../../operations/jobs/port.ts';

/** What the account's alarm needs of the world; wired by `compose.ts`. Tests put their own in its place. */
export interface Outside {
	readonly now: () => number;
	readonly sendParts: (kind: JobKind, messages: readonly PartMessage[]) => Promise<void>;
	/** Deletes all that the bucket holds of a job. */
	readonly deleteBlobs: (jobId: string) => Promise<void>;
}
