import { ServiceError } from '../../../errors.ts';
import { SMALL_JOB_BELOW } from '../deferral.ts';
import { bulk } from './bulk.ts';
import { catchall } from './catchall.ts';
import type { Kind } from './kind.ts';

/** The kinds of jobs, under the words by which accounts store them and messages between versions of us name them. */
export const JOB_KINDS = { verification: bulk, catchall } as const satisfies Record<string, Kind>;

export type JobKind = keyof typeof JOB_KINDS;

/** The binding of the queue that parts come by: small jobs have one of their own, in which no list stands before them. */
export type PartQueue = (typeof JOB_KINDS)[JobKind]['queue'] | 'SMALL_QUEUE';

/** The queue of a job with so many addresses. */
export function queueOf(kind: JobKind, accepted: number): PartQueue {
	return accepted < SMALL_JOB_BELOW ? 'SMALL_QUEUE' : JOB_KINDS[kind].queue;
}

/** What the lines of jobs are called in the ledger. */
export type JobNoun = (typeof JOB_KINDS)[JobKind]['noun'];

/** The pages' heading for each. */
export const JOB_TITLES = Object.fromEntries(
	Object.values(JOB_KINDS).map(({ noun, onPages }) => [noun, onPages.title]),
) as Readonly<Record<JobNoun, string>>;

/** Whether a line of the ledger is that of a job. */
export function isJobNoun(word: string): word is JobNoun {
	return Object.hasOwn(JOB_TITLES, word);
}

/**
 * The job, which must be there and of this kind, or there is none to whoever asks.
 *
 * @param noun what the caller calls one
 */
export function requireKind<J extends { readonly kind: JobKind }>(
	job: J | null,
	kind: JobKind,
	noun: string = JOB_KINDS[kind].noun,
): J {
	if (job !== null && job.kind === kind) return job;
	throw new ServiceError(`${JOB_KINDS[kind].noun}_not_found`, `There is no such ${noun} in this account`);
}
