import type { Payer } from '../../core/turns/who.ts';
import type { NeededScopes } from '../../core/keys/scopes.ts';
import type { Category, CountedOn, WindowView } from '../../core/rate-limit/window.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { JobRecord } from '../jobs/port.ts';
import type { Digests, KeptOutcome } from '../../core/outcomes/outcome.ts';

/** The key of a reservation: `at` (epoch ms) orders the ledger, `id` is the caller's. */
export interface ReservationRef {
	readonly id: string;
	readonly at: number;
}

/**
 * The credits and the request that the admission of a single call set aside in the memory of the account's object. The
 * settlement brings them along, because the object may have left memory in between.
 */
export interface Hold {
	readonly keyId: string;
	readonly credits: number;
	/** Null: the request has been counted. */
	readonly countedOn: CountedOn | null;
}

/** The key id under which the ledger and the usage by day count the owner's actions without a key. */
export const OWNERS_KEY_ID = 'dashboard';
/** Replaces a key for the actions of a person who is signed in. */
export const BY_DASHBOARD = { keyId: OWNERS_KEY_ID, secretHash: null, scopes: 'any key' } as const;

/** The most domains of a call. */
export const DOMAINS_MAX = 1_000;
/** The ids of reservations for look-ups of domains begin so. */
export const DOMAINS_ID_PREFIX = 'dom';

/** The network work of a call takes 15 s at most: by then its question has ended, or its Worker has died. */
export const AT_WORK_MS = 20_000;

/** A call under an Idempotency-Key, or of a form. */
export interface KeyedCall {
	/** As stored. */
	readonly key: string;
	/** The digest of what is asked. */
	readonly fingerprint: string;
}

/** The answer that an account keeps under a key. */
export interface KeptAnswer {
	/** The findings, which open with the question alone (`answer-call.ts`). */
	readonly sealed: string;
	readonly requestId: string;
	readonly charged: number;
	/** Credits available after it. */
	readonly remaining: number;
}

/** A row of what was asked under a key once. */
export interface Remembered extends KeyedCall {
	/** The job, or the reservation of the call. */
	readonly ref: string;
	/** When that was made, epoch ms. */
	readonly at: number;
	/** Until when a Worker is taken to be at work on the answer; null: a job, whose answer is there. */
	readonly busyUntil: number | null;
	/** The body of a job's 202, or a `KeptAnswer` as JSON. Null: there is none so far. */
	readonly answer: string | null;
	/** Null: as long as the job runs. */
	readonly expiresAt: number | null;
}

/** The state of an earlier call under the same key. */
export type EarlierCall =
	| { readonly kind: 'answered'; readonly answer: KeptAnswer }
	| { readonly kind: 'under_way' }
	/** The key was used for another request. */
	| { readonly kind: 'mismatch' };

export interface AdmitRequest {
	readonly keyId: string;
	/** SHA-256 of the key's secret, hex; null for a person who is signed in (`BY_DASHBOARD`). */
	readonly secretHash: string | null;
	readonly scopes: NeededScopes;
	readonly category: Category;
	readonly windowMs: number;
	/** Epoch milliseconds. */
	readonly now: number;
	/** Credits to reserve in the same step; null for requests that are free. */
	readonly reservation: { readonly id: string; readonly credits: number } | null;
	/** The job or task that the request is about; its record is returned by the same call. */
	readonly jobId?: string;
	/** The address to be verified: what became of the account's own message to it is returned by the same call. */
	readonly outcomeOf?: Digests;
	/** With a reservation: it is only made if there was no earlier call under the key. */
	readonly call?: KeyedCall;
}

/**
 * Why a key is refused. Refusals are values: an error would lose its class on the way out of the object. `revoked` and `expired` are permanent; `suspended` lasts as long as the suspension, and is only
 * told to a key of the account, as is `out_of_scope`; `unknown` says nothing of the account.
 */
export type KeyRefusal = 'unknown' | 'revoked' | 'expired' | 'suspended' | 'out_of_scope';

/** A request that its account lets through. */
export interface Admitted {
	readonly kind: 'admitted';
	readonly window: WindowView;
	readonly balance: BalanceView;
	/** Null: not requested, or there is no such job. */
	readonly job: JobRecord | null;
	/** The work to do. Where the Worker of an earlier call under the key died, on its reservation. Left out: none. */
	readonly reservation?: ReservationRef;
	/** The settlement brings it along. Left out: there is nothing to settle. */
	readonly hold?: Hold;
	/** Only where the request names an address; null: nothing is kept. */
	readonly outcome?: KeptOutcome | null;
	/** False: too many answers of today were free, so no mail host is asked. Left out: nothing was reserved. */
	readonly mayAsk?: boolean;
	/** Left out: nothing was reserved. */
	readonly payer?: Payer;
	/** An earlier call under the key. Left out: there was none, or nothing was reserved. */
	readonly earlier?: EarlierCall;
}

export type Admission =
	| Admitted
	/** Nothing in the account has changed. */
	| { readonly kind: 'unauthenticated'; readonly window: WindowView; readonly because: KeyRefusal }
	| { readonly kind: 'rate_limited'; readonly window: WindowView }
	| { readonly kind: 'insufficient_credits'; readonly window: WindowView; readonly available: number };

export interface SettleRequest {
	readonly reservation: ReservationRef;
	/** Left out: only the object's memory knows it. */
	readonly hold?: Hold | undefined;
	/**
	 * How the work ended. `failed`: without an answer, so it is neither charged nor counted. `described`: domains were, so
	 * it is charged, and no verification is counted.
	 */
	readonly outcome: Status | 'failed' | 'described';
	/** The recipients that a free answer took (`core/credits/free-answers.ts`); of domains, what it would have cost. */
	readonly free?: number;
	readonly now: number;
	/** Where the call has a key: its answer to keep; null: it failed, and the key is free again. */
	readonly call?: {
		readonly key: string;
		/** When the call was admitted, epoch ms. Since then another Worker may have taken its work over. */
		readonly calledAt: number;
		readonly answer: Pick<KeptAnswer, 'sealed' | 'requestId'> | null;
	};
}

export interface Settled {
	/** Credits charged, even if an earlier call had settled the reservation. */
	readonly charged: number;
	readonly balance: BalanceView;
	/** The answer to give under the key: this one, or that of a faster call. Null: there is none to keep. */
	readonly answer: KeptAnswer | null;
}
