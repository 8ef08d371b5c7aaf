import type { JobKind } from '../../core/jobs/kinds.ts';
import type { RowCounts } from '../../core/jobs/stored-row.ts';
import type { EventFacts, SentEventType } from '../../core/webhooks/events.ts';
import type { Callback, DeliveryView } from '../webhooks/port.ts';

/** The state of a bulk job (spec §3). */
export type JobStatus = 'processing' | 'completed' | 'failed';

/** The terms that held when a job was opened. */
export interface JobTiming {
	/** Pauses before the later attempts of deferred addresses. */
	readonly retryDelaysMs: readonly number[];
	readonly redriveAfterMs: number;
	readonly resultsTtlMs: number;
	/** How long rows may wait for us, from the job's creation on. */
	readonly horizonMs: number;
}

/** What never changes of a job but its name and its mail. Times are epoch milliseconds. */
export interface NewJob {
	readonly jobId: string;
	readonly kind: JobKind;
	/** The job whose results a task checks, or whose unknown addresses this one asks again; null: none. */
	readonly sourceJobId: string | null;
	readonly name: string | null;
	/** The key that it was made with, or `OWNERS_KEY_ID`. */
	readonly keyId: string;
	/** The owner gets a mail when it ends. */
	readonly mailWhenDone: boolean;
	/** The job runs the deep check on its catch-all rows itself. */
	readonly rescuesCatchAll: boolean;
	/** Number of submitted elements: accepted + duplicates + invalid. */
	readonly submitted: number;
	readonly duplicates: number;
	readonly invalid: number;
	readonly timing: JobTiming;
	/** Credits for a definite answer about an address. */
	readonly price: number;
}

/** A job as its account stores it: a row of `jobs`. */
export interface StoredJob extends NewJob {
	readonly status: JobStatus;
	readonly accepted: number;
	readonly parts: number;
	/** The URL of its callback; null: it has none. */
	readonly callbackUrl: string | null;
	readonly idempotencyKey: string | null;
	readonly createdAt: number;
	/** When it was ended early; null: it was not. */
	readonly finishedAt: number | null;
	readonly endedAt: number | null;
	/** When its results were deleted on request; null: they were not. */
	readonly deletedAt: number | null;
	readonly error: string | null;
	/** The final charge of a job that has ended. */
	readonly kept: number | null;
	/** The counters of a job that has ended; null while it runs: then they are the sums of its parts. */
	readonly totals: {
		readonly counts: RowCounts;
		readonly deferred: number;
		readonly retry: number;
		readonly settledAt: number | null;
	} | null;
}

/** A job with what follows from its parts, and from jobs that were made from it. */
export interface JobRecord extends StoredJob {
	/** Addresses with a final row. */
	readonly processed: number;
	readonly counts: RowCounts;
	/** Its unknown rows that another question may change. */
	readonly retry: number;
	/** Still set aside. */
	readonly creditsReserved: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	/** Addresses that wait for a later attempt, and when the first and the last of them are due. */
	readonly waiting: number;
	readonly nextAttemptAt: number | null;
	readonly lastDueAt: number | null;
	readonly updatedAt: number;
	readonly completedAt: number | null;
	readonly resultsExpiresAt: number | null;
	/** The last catch-all task over the job's results. */
	readonly catchAllTaskId: string | null;
	/** The last task over the job's results that is completed, and whose verdicts are kept; null: none is. */
	readonly verdictsTaskId: string | null;
	/** How the callback of a job that has ended stands; null: it has none, or none any more. */
	readonly callbackDelivery: DeliveryView | null;
	/** The job that asks its unknown addresses again. */
	readonly againJobId: string | null;
}

/** A job in the operators' listing, which says whose it is. */
export type ListedJob = Pick<StoredJob, 'jobId' | 'createdAt'>;

export interface OpenJobRequest extends NewJob {
	readonly now: number;
	/** Addresses of each part; their sum is what is reserved. A task without any is completed at once. */
	readonly parts: readonly number[];
	/** Left out: it has none. */
	readonly callback?: Callback | null;
	readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
	/** The call of the API that asks for it; null: a page does, which needs no body of a 202. */
	readonly requestId: string | null;
}

export type OpenJobResult =
	/** `response`: the body of the 202, which a repeated request gets byte for byte. `sent`: the parts to send first. */
	| {
			readonly kind: 'opened';
			readonly job: JobRecord;
			readonly response: string;
			readonly sent: readonly number[];
	  }
	/** The same Idempotency-Key and the same request, under another job id: the first answer. */
	| { readonly kind: 'replay'; readonly jobId: string; readonly response: string }
	| { readonly kind: 'mismatch' }
	| { readonly kind: 'insufficient_credits'; readonly available: number };

/** A message of the kind's queue, which refers to a part. It never contains an address. */
export interface PartMessage {
	readonly accountId: string;
	readonly jobId: string;
	readonly part: number;
}

/** An event of an account, before it has the API's form. `at` is when it happened, epoch ms. */
export type WebhookEvent = {
	[T in SentEventType]: { readonly type: T; readonly at: number; readonly data: EventFacts<JobRecord>[T] };
}[SentEventType];
