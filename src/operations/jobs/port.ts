import type { Payer } from '../../core/turns/who.ts';
import type { HeldUpBy } from '../../core/jobs/estimate.ts';
import type { JobKind } from '../../core/jobs/kinds/kinds.ts';
import type { RowCounts, PartTally } from '../../core/jobs/stored-row.ts';
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
	/** The key that it was made with, or `OWNERS_KEY_ID`. */
	readonly keyId: string;
	/** The owner gets a mail when it ends. */
	readonly mailWhenDone: boolean;
	/** The job runs the deep check on its catch-all rows itself. */
	readonly rescuesCatchAll: boolean;
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
	/**
	 * How many of them wait because of a fault of ours (`halted`) or their mail servers (`putOff`). All others wait
	 * for our turn with a server.
	 */
	readonly waits: { readonly halted: number; readonly putOff: number };
	readonly nextAttemptAt: number | null;
	readonly createdAt: number;
	readonly updatedAt: number;
	/** While it runs; null: nothing is measured yet. */
	readonly estimatedCompletionAt: number | null;
	/** The provider that the estimate waits for; null: no single one. */
	readonly heldUpBy: HeldUpBy | null;
	/** When it was ended early; null: it was not. */
	readonly finishedAt: number | null;
	readonly completedAt: number | null;
	/** When its results were deleted on request; null: they were not. */
	readonly deletedAt: number | null;
	readonly resultsExpiresAt: number | null;
	/** The last catch-all task over the job's results. */
	readonly catchAllTaskId: string | null;
	/** The last task over the job's results that is completed, and whose verdicts are kept; null: none is. */
	readonly verdictsTaskId: string | null;
	/** The job that asks its unknown addresses again. */
	readonly againJobId: string | null;
	readonly error: string | null;
}

/** A job in the operators' listing, without its name and figures. */
export type ListedJob = Pick<JobRecord, 'jobId' | 'status' | 'createdAt'>;

export const NO_WAITS: JobRecord['waits'] = { halted: 0, putOff: 0 };

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
	/** How long rows may wait for our own capacity, from the job's creation on. */
	readonly horizonMs: number;
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
	/** Credits for a definite answer; left out: the price of the kind. */
	readonly price?: number;
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

/** Run `attempt` (from 1). The lease ends unless it is renewed with the token. */
export interface ClaimedPart {
	readonly kind: 'claimed';
	readonly jobKind: JobKind;
	/** The job runs the deep check on its catch-all rows itself. */
	readonly rescuesCatchAll: boolean;
	readonly token: string;
	readonly attempt: number;
	readonly count: number;
	/** Until when rows may wait for our own capacity, epoch ms. */
	readonly horizon: number;
	/** Whether the answer is promised within half a minute. */
	readonly isSmall: boolean;
	/** Pauses before the second and every later time that an address is asked. */
	readonly retryDelaysMs: readonly number[];
	/** Since when a fault of ours delays the part; null: none does. */
	readonly postponedSince: number | null;
	/** Five consumers claimed this attempt and none stored it: store the open rows as `unknown` without asking. */
	readonly abandoned?: true;
}

export type ClaimResult =
	/** `freeAnswersLeft`: how many more answers may be free today; `payer`: who is behind the account. */
	| (ClaimedPart & { readonly freeAnswersLeft: number; readonly payer: Payer })
	/** Another consumer has it, or it is not due: acknowledge. */
	| { readonly kind: 'held' }
	/** Every row is final; the job may still have to be completed. */
	| { readonly kind: 'done' }
	/** No such job, or it has ended. */
	| { readonly kind: 'gone' };

/** A consumer that takes a part, or goes on with it. */
export interface PartClaim {
	readonly jobId: string;
	readonly part: number;
	readonly token: string;
	readonly now: number;
	readonly leaseMs: number;
}

/** A stored attempt. The tally covers all addresses of the part, including those of earlier attempts. */
export interface PartSettlement {
	readonly jobId: string;
	readonly part: number;
	readonly attempt: number;
	readonly tally: PartTally;
	/** When the first deferred address is due; null: none is deferred. */
	readonly dueAt: number | null;
	/** The lease of a consumer that goes on with the part; left out: the consumer is done with it for now. */
	readonly holder?: { token: string; leaseMs: number };
	readonly now: number;
}

/** A part that is given back until later, with its attempt not used up. */
export interface PartPostponement {
	readonly jobId: string;
	readonly part: number;
	readonly token: string;
	readonly now: number;
	readonly until: number;
	/** For our own capacity. Left out: a fault of ours delays it. */
	readonly waits?: boolean;
}

/** A message of the kind's queue, which refers to a part. It never contains an address. */
export interface PartMessage {
	readonly accountId: string;
	readonly jobId: string;
	readonly part: number;
}

/** Which lists to show: `all` are those that were not deleted. */
export const LIST_STATES = ['all', 'processing', 'completed', 'failed', 'deleted'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** An ended list whose owner wants a mail. */
export interface DoneList {
	readonly accountId: string;
	readonly job: JobRecord;
}
