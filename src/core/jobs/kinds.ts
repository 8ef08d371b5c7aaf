import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { PRICE } from '../credits/price.ts';
import type { WebhookEventType } from '../webhooks/events.ts';
import { SMALL_JOB_BELOW } from './deferral.ts';

/** Everything that differs between kinds of jobs. The same code runs all kinds. */
interface Kind {
	/** The name in the API, its errors and the ledger; in the plural also in the paths of pages. */
	readonly noun: string;
	/** The name on the pages. */
	readonly onPages: { readonly noun: string; readonly title: string };
	/** The beginning of its ids. */
	readonly idPrefix: string;
	/** Credits for a definite answer about an address. A job keeps the price at which it was opened. */
	readonly price: number;
	/** The binding of the queue that delivers its parts. */
	readonly queue: string;
	/** The webhook events at the end of a job. */
	readonly events: { readonly completed: WebhookEventType; readonly failed: WebhookEventType };
	/** Separates its Idempotency-Keys from those of other kinds: as stored, no caller's key contains a plain space. */
	readonly keyPrefix: string;
	/**
	 * Its catch-all addresses get the deeper check, with the facts about the whole source list, and every row has a
	 * score with its breakdown. Without addresses it is completed at once; a job of another kind is never opened so.
	 */
	readonly isDeep: boolean;
	/** Rows that are held in memory at once when the job is completed. */
	readonly rowsPerPass: number;
}

/** The kinds of jobs, by the words that are stored in accounts and sent in messages, also between versions. */
export const JOB_KINDS = {
	/** The verification of a list. */
	verification: {
		noun: 'job',
		onPages: { noun: 'list', title: 'List' },
		idPrefix: 'job',
		price: PRICE.verification,
		queue: 'VERIFY_QUEUE',
		events: { completed: 'job.completed', failed: 'job.failed' },
		keyPrefix: '',
		isDeep: false,
		// A row is some 120 characters long, so a pass takes 6 MB.
		rowsPerPass: 50_000,
	},
	/** The deeper check of the catch-all addresses of a job. */
	catchall: {
		noun: 'task',
		onPages: { noun: 'check', title: 'Catch-all check' },
		idPrefix: 'cat',
		price: PRICE.catchall,
		queue: 'CATCHALL_QUEUE',
		events: { completed: 'catchall.completed', failed: 'catchall.failed' },
		keyPrefix: 'catchall ',
		isDeep: true,
		// A row with its breakdown is some 1,300 characters long, so a pass takes 13 MB.
		rowsPerPass: 10_000,
	},
} as const satisfies Record<string, Kind>;

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
