import type { HeldUpBy } from '../../core/jobs/estimate.ts';
import type { JobKind } from '../../core/jobs/kinds/kinds.ts';
import type { PartTally, RowCounts } from '../../core/jobs/stored-row.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';

/** The state of a bulk job (spec §3). */
export type JobStatus = 'processing' | 'completed' | 'failed';

/** A bulk job in its account, which alone stores these facts. Times are epoch milliseconds. */
export interface JobRecord {
	readonly jobId: string;
	readonly kind: JobKind;
	/** The job whose results a task checks, or whose unknown addresses this one asks again; null: none. */
	readonly sourceJobId: string | null;
	readonly status: JobStatus;
	readonly name: string | null;
	/** The key that it was made with, or `OWNERS_KEY_ID`. An object of an earlier version does not say. */
	readonly keyId?: string;
	/** The owner is told by mail when it ends. */
	readonly mailWhenDone?: boolean;
	/** The job runs the deep check on its catch-all rows itself. An object of an earlier version does not say. */
	readonly rescuesCatchAll?: boolean;
	/** Number of submitted elements: accepted + duplicates + invalid. */
	readonly submitted: number;
	readonly accepted: number;
	readonly duplicates: number;
	readonly invalid: number;
	readonly parts: number;
	/** Addresses with a final row. */
	readonly processed: number;
	readonly counts: RowCounts;
	/** Still set aside. */
	readonly creditsReserved: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	/** Addresses that wait for a later attempt; `nextAttemptAt` is when the next of them is due. */
	readonly waiting: number;
	readonly nextAttemptAt: number | null;
	readonly createdAt: number;
	readonly updatedAt: number;
	/** While it runs; null: nothing is measured yet. An object of an earlier version does not say. */
	readonly estimatedCompletionAt?: number | null;
	/** The provider that the estimate waits for; null: no single one. */
	readonly heldUpBy?: HeldUpBy | null;
	/** When it was ended early; null or left out: it was not. */
	readonly finishedAt?: number | null;
	readonly completedAt: number | null;
	/** When its results were deleted on request; null or left out: they were not. */
	readonly deletedAt?: number | null;
	readonly resultsExpiresAt: number | null;
	/** The last catch-all task over the job's results. */
	readonly catchAllTaskId: string | null;
	/** The last task over the job's results that is completed, and whose verdicts are kept; left out: none is. */
	readonly verdictsTaskId?: string | null;
	/** The job that asks its unknown addresses again. An object of an earlier version does not say. */
	readonly againJobId?: string | null;
	/** That job, once it is completed and its results are kept; left out: there is none. */
	readonly answersJobId?: string | null;
	readonly error: string | null;
}

/** A part that still drives its job, for operators. Times are epoch milliseconds. */
export interface PartView {
	readonly part: number;
	readonly addresses: number;
	/** Addresses without a final row. */
	readonly open: number;
	/** Stored attempts. */
	readonly attempts: number;
	/** Consumers that took the next attempt, and messages sent for it. */
	readonly claims: number;
	readonly sends: number;
	readonly dueAt: number;
	readonly nextMessageAt: number;
	/** Until when a consumer holds it. */
	readonly leaseUntil: number | null;
	/** Since when an outage of our egress, resolver or storage delays it. */
	readonly postponedSince: number | null;
	/** Due for ten minutes, without a consumer. */
	readonly stuck: boolean;
}

export interface JobInspection {
	readonly job: JobRecord;
	readonly parts: readonly PartView[];
}

export interface JobTiming {
	/** Pauses before the later attempts of deferred addresses. */
	readonly retryDelaysMs: readonly number[];
	readonly redriveAfterMs: number;
	readonly resultsTtlMs: number;
	/** How long rows may wait for our own capacity, from the job's creation on. Jobs of an earlier version do not say. */
	readonly horizonMs?: number;
}

export interface OpenJobRequest {
	readonly jobId: string;
	readonly kind: JobKind;
	readonly sourceJobId: string | null;
	readonly now: number;
	readonly keyId: string;
	readonly name: string | null;
	/** Run the deep check on the catch-all rows as well; tasks do so anyway. */
	readonly rescuesCatchAll: boolean;
	/** Tell the owner by mail when it ends. */
	readonly mailWhenDone?: boolean;
	readonly submitted: number;
	readonly duplicates: number;
	readonly invalid: number;
	/** Addresses of each part; their sum is what is reserved. A task without any is completed at once. */
	readonly parts: readonly number[];
	/** For each part the operator at whose own domains its addresses are, or null. Left out: null for all. */
	readonly operators?: readonly (OperatorName | null)[];
	readonly timing: JobTiming;
	readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
	/** The body of the 202, which a repeated request gets byte for byte. */
	readonly response: string;
}

export type OpenJobResult =
	| { readonly kind: 'opened'; readonly job: JobRecord }
	/** The same Idempotency-Key and the same request, under another job id: the first answer. */
	| { readonly kind: 'replay'; readonly jobId: string; readonly response: string }
	| { readonly kind: 'mismatch' }
	| { readonly kind: 'insufficient_credits'; readonly available: number };

export type ClaimResult =
	/** Run `attempt` (from 1). The lease ends unless it is renewed with the token. */
	| {
			readonly kind: 'claimed';
			readonly jobKind: JobKind;
			/** The job runs the deep check on its catch-all rows itself. */
			readonly rescuesCatchAll?: boolean;
			readonly token: string;
			readonly attempt: number;
			readonly count: number;
			/** Until when rows may wait for our own capacity, epoch ms. */
			readonly horizon: number;
			/** Of a job that is promised within half a minute. */
			readonly isSmall: boolean;
			/** Pauses before the second and every later time that an address is asked. */
			readonly retryDelaysMs: readonly number[];
			/** Since when a fault of ours delays the part; null: none does. */
			readonly postponedSince: number | null;
			/** Five consumers claimed this attempt and none stored it: store the open rows as `unknown` without asking. */
			readonly abandoned?: true;
			/** How many more answers may be free today. An object of an earlier version does not say. */
			readonly freeAnswersLeft?: number;
	  }
	/** Another consumer has it, or it is not due: acknowledge. */
	| { readonly kind: 'held' }
	/** Every row is final; the job may still have to be completed. */
	| { readonly kind: 'done' }
	/** No such job, or it has ended. */
	| { readonly kind: 'gone' };

/** The jobs of one account. Every call may be repeated and then changes nothing. */
export interface JobStore {
	/**
	 * Reserves credits, records the job and sets the alarm in one transaction. A repeated call with the same job id gets
	 * `opened` again. The caller sends the first messages; the alarm resends lost ones.
	 */
	openJob(request: OpenJobRequest): Promise<OpenJobResult>;
	findJob(jobId: string): Promise<JobRecord | null>;
	/** The first answer to this Idempotency-Key, for a check before all others; null: the key is new. */
	findAnswer(request: {
		kind: JobKind;
		idempotency: { readonly key: string; readonly fingerprint: string };
		now: number;
	}): Promise<Exclude<OpenJobResult, { kind: 'opened' | 'insufficient_credits' }> | null>;
	/** A page of the account's jobs, newest first, and how many there are. `page` counts from 1. */
	listJobs(request: {
		kind: JobKind;
		/** Left out: any. */
		status?: JobStatus | undefined;
		page: number;
		pageSize: number;
	}): Promise<{ jobs: readonly JobRecord[]; total: number }>;
	/** The catch-all tasks over a job, newest first. */
	tasksOf(jobId: string): Promise<readonly JobRecord[]>;
	claimPart(request: {
		jobId: string;
		part: number;
		token: string;
		now: number;
		leaseMs: number;
	}): Promise<ClaimResult>;
	/** False: the lease was lost, or its attempt is stored. */
	renewPart(request: {
		jobId: string;
		part: number;
		token: string;
		now: number;
		leaseMs: number;
	}): Promise<boolean>;
	/**
	 * Records a stored attempt: charges, refunds, and plans the next attempt, for which the alarm sends the message. The
	 * tally covers all addresses of the part, including those of earlier attempts. An attempt that was recorded before, or
	 * an earlier one, changes nothing. `ready`: all rows are final and the job is not completed. `held`: the holder still
	 * has the part, and goes on with the next attempt.
	 */
	settlePart(request: {
		jobId: string;
		part: number;
		attempt: number;
		tally: PartTally;
		/** When the first deferred address is due; null or left out for a blob of an earlier version, which does not say. */
		dueAt?: number | null;
		/** The lease of a consumer that goes on with the part; left out: the consumer is done with it for now. */
		holder?: { token: string; leaseMs: number };
		now: number;
	}): Promise<{ job: JobRecord; ready: boolean; held: boolean }>;
	/**
	 * Gives a part back without using up its attempt, because our egress, resolver or bucket is out. False: put off for
	 * too long (6 h), and the lease is kept: store the open rows as `unknown`. Also true when the lease was lost.
	 */
	postponePart(request: {
		jobId: string;
		part: number;
		token: string;
		now: number;
		until: number;
	}): Promise<boolean>;
	/**
	 * Ends a running job early: its open addresses are unknown and refunded, in this step; what consumers still bring
	 * changes nothing. `completeJob` has to follow, and the alarm sees to it.
	 */
	finishJob(request: { jobId: string; now: number }): Promise<JobRecord>;
	/** The number of each part's last attempt that is settled, in the order of the parts; 0: none is. */
	attemptsOf(request: { jobId: string }): Promise<readonly number[]>;
	/** Has the alarm delete the results of a job that has ended; they can't be read from now on. */
	deleteResults(request: { jobId: string; now: number }): Promise<JobRecord>;
	/**
	 * The results are written, so they can be read, and will expire. Call this last: until then the alarm drives the job
	 * to its end, and afterwards it only deletes the job's blobs.
	 */
	completeJob(request: { jobId: string; now: number }): Promise<JobRecord>;
	/** The job and the parts that still drive it; null: there is no such job. */
	inspectJob(request: { jobId: string; now: number }): Promise<JobInspection | null>;
	/** Sends all parts that still drive the job again, at once. False: there is no such job, or it has ended. */
	retryJob(request: { jobId: string; now: number }): Promise<boolean>;
	/** The job can't be done, and costs nothing: charges are refunded, the rest of the reservation is released. */
	failJob(request: { jobId: string; now: number; error: string }): Promise<JobRecord>;
	/** Those of the jobs whose blobs the account still manages: only the account may delete them. */
	claimsOf(request: { jobIds: readonly string[] }): Promise<readonly string[]>;
}

/** A message of the kind's queue, which refers to a part. It never contains an address. */
export interface PartMessage {
	readonly accountId: string;
	readonly jobId: string;
	readonly part: number;
}
