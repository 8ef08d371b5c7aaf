import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { SMALL_JOB_BELOW } from './deferral.ts';
import { PRICE } from '../credits/price.ts';
import type { WebhookEventType } from '../webhooks/events.ts';

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
	/** A job without addresses is completed at once; if false, such a job is never opened. */
	readonly mayBeEmpty: boolean;
	/**
	 * Its catch-all addresses get the deeper check, with the facts about the whole source list, and every row has a
	 * score with its breakdown.
	 */
	readonly isDeep: boolean;
	/** Rows that are held in memory at once when the job is completed. */
	readonly rowsPerPass: number;
}

/** The verification of a list. */
const bulk = {
	noun: 'job',
	onPages: { noun: 'list', title: 'List' },
	idPrefix: 'job',
	price: PRICE.verification,
	queue: 'VERIFY_QUEUE',
	events: { completed: 'job.completed', failed: 'job.failed' },
	keyPrefix: '',
	mayBeEmpty: false,
	isDeep: false,
	// A row is some 120 characters long, so a pass takes 6 MB.
	rowsPerPass: 50_000,
} as const satisfies Kind;

/** A catch-all task: the deeper check of the catch-all addresses of a job. */
const catchall = {
	noun: 'task',
	onPages: { noun: 'check', title: 'Catch-all check' },
	idPrefix: 'cat',
	price: PRICE.catchall,
	queue: 'CATCHALL_QUEUE',
	events: { completed: 'catchall.completed', failed: 'catchall.failed' },
	keyPrefix: 'catchall ',
	mayBeEmpty: true,
	isDeep: true,
	// A row with its breakdown is some 2,300 characters long, which take two octets each if one is beyond Latin-1.
	rowsPerPass: 4_000,
} as const satisfies Kind;

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

/**
 * Texts stored about a job as a whole. `facts`: about its list, from its addresses alone, for a job that resolves
 * catch-all addresses itself; from its results, for a task. `places`: the places of a task's rows in the list that it
 * checks. `scores`: by these places, to be shown in the list's rows. `report`: of a list, or of a task's list with its
 * scores.
 */
export type SummaryName = 'facts' | 'places' | 'report' | 'scores';
