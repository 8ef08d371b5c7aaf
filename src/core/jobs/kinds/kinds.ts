import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import { SMALL_JOB_BELOW } from '../deferral.ts';
import { bulk } from './bulk.ts';
import { catchall } from './catchall.ts';
import type { Kind } from './kind.ts';

/** The kinds of jobs, by the words that are stored in accounts and sent in messages, also between versions. */
export const JOB_KINDS = { verification: bulk, catchall } as const satisfies Record<string, Kind>;

export type JobKind = keyof typeof JOB_KINDS;

/** A stored kind. */
export function requireJobKind(word: string): JobKind {
	assert(Object.hasOwn(JOB_KINDS, word), 'every stored job is of a kind that has a row');
	return word as JobKind;
}

/** The binding of the queue that delivers parts. Small jobs have a queue of their own, so that no list delays them. */
export type PartQueue = (typeof JOB_KINDS)[JobKind]['queue'] | 'SMALL_QUEUE';

/** The queue of a job with `accepted` addresses. */
export function queueOf(kind: JobKind, accepted: number): PartQueue {
	return accepted < SMALL_JOB_BELOW ? 'SMALL_QUEUE' : JOB_KINDS[kind].queue;
}

/** The names of jobs in the ledger. */
export type JobNoun = (typeof JOB_KINDS)[JobKind]['noun'];

/** All of them. */
export const JOB_NOUNS: readonly JobNoun[] = Object.values(JOB_KINDS).map(({ noun }) => noun);

/** The heading of each on the pages. */
export const JOB_TITLES = Object.fromEntries(
	Object.values(JOB_KINDS).map(({ noun, onPages }) => [noun, onPages.title]),
) as Readonly<Record<JobNoun, string>>;

/** Whether a line of the ledger belongs to a job. */
export function isJobNoun(word: string): word is JobNoun {
	return Object.hasOwn(JOB_TITLES, word);
}

/**
 * Returns the job if it exists and is of this kind; otherwise throws that there is no such job.
 *
 * @param noun the caller's name for such a job
 */
export function requireKind<J extends { readonly kind: JobKind }>(
	job: J | null,
	kind: JobKind,
	noun: string = JOB_KINDS[kind].noun,
): J {
	if (job !== null && job.kind === kind) return job;
	throw new ServiceError(`${JOB_KINDS[kind].noun}_not_found`, `There is no such ${noun} in this account`);
}
