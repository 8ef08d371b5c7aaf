import type { Payer } from '../../core/turns/who.ts';
import type { NeededScopes } from '../../core/keys/scopes.ts';
import type { Category, CountedOn, WindowView } from '../../core/rate-limit/window.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { JobRecord } from '../jobs/port.ts';
import type { Digests, KeptOutcome } from '../outcomes/port.ts';
import type { BegunVerification, KeptAnswer } from './history-port.ts';

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

/** Replaces a key for the actions of a person who is signed in. Usage is counted under this id. */
export const BY_DASHBOARD = { keyId: 'dashboard', secretHash: null, scopes: 'any key' } as const;

/** A call under an Idempotency-Key. */
export interface KeyedCall {
	/** As stored. */
	readonly key: string;
	/** The digest of what is asked. */
	readonly fingerprint: string;
}

/**
 * The answer that is remembered under an Idempotency-Key: everything that its body is made of. An account keeps it
 * without the address (`withoutAddress`).
 */
export interface RememberedAnswer<R = VerificationResult> {
	readonly result: R;
	readonly requestId: string;
	readonly charged: number;
	/** Credits available after it. */
	readonly remaining: number;
}

/** The state of an earlier call under the same Idempotency-Key. */
export type EarlierCall =
	| { readonly kind: 'answered'; readonly answer: RememberedAnswer }
	/** Without an answer so far. Its Worker died, or is at work. */
	| { readonly kind: 'under_way'; readonly reservation: ReservationRef }
	/** The key was used for another request. */
	| { readonly kind: 'mismatch' };

/** The state of a question that went on after its caller's time was up. Without the address. */
export type LateAnswer =
	/** `at`: when it was answered for the time being, epoch ms. Its Worker is at work, or has died. */
	| { readonly kind: 'under_way'; readonly at: number }
	/** `isPaid`: another call has got the answer, and was charged for it. */
	| { readonly kind: 'answered'; readonly result: VerificationResult; readonly isPaid: boolean };

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
	/** With `outcomeOf`: what became of a question about it that went on. Nothing is reserved for an answer that is paid. */
	readonly takesLate?: boolean;
	/**
	 * With a reservation: the account's history records the verification under the reservation's id. A begun
	 * verification is not begun again, unless it failed or its Worker died.
	 */
	readonly inHistory?: boolean;
	/** With a reservation: it is only made if there was no earlier call under the key. */
	readonly call?: KeyedCall;
}

/** Refusals are values: an error would lose its class on the way out of the object. */
/**
 * Why a key is refused. `revoked` and `expired` are permanent; `suspended` lasts as long as the suspension, and is only
 * told to a key of the account, as is `out_of_scope`; `unknown` says nothing of the account.
 */
export type KeyRefusal = 'unknown' | 'revoked' | 'expired' | 'suspended' | 'out_of_scope';

export type Admission =
	| {
			readonly kind: 'admitted';
			readonly window: WindowView;
			readonly balance: BalanceView;
			/** Null: not requested, or there is no such job. */
			readonly job: JobRecord | null;
			/** The settlement brings it along. Left out: there is nothing to settle. */
			readonly hold?: Hold;
			/** Only where the request names an address; null: nothing is kept. */
			readonly outcome?: KeptOutcome | null;
			/** False: too many answers of today were free, so no mail host is asked. Left out: nothing was reserved. */
			readonly mayAsk?: boolean;
			/** Left out: nothing was reserved. */
			readonly payer?: Payer;
			/** Left out: there was no earlier call under the key, so credits are reserved for this one. */
			readonly earlier?: EarlierCall;
			/** Left out: no question about the address went on. */
			readonly late?: LateAnswer;
			/** The verification was begun before, and nothing is reserved. */
			readonly begun?: BegunVerification;
	  }
	/** Nothing in the account has changed. */
	| { readonly kind: 'unauthenticated'; readonly window: WindowView; readonly because: KeyRefusal }
	| { readonly kind: 'rate_limited'; readonly window: WindowView }
	| { readonly kind: 'insufficient_credits'; readonly window: WindowView; readonly available: number };

export interface SettleRequest {
	readonly reservation: ReservationRef;
	/** Left out: only the object's memory knows it. */
	readonly hold?: Hold;
	/**
	 * How the work ended. `failed`: without an answer, so it is neither charged nor counted. `described`: domains were, so
	 * it is charged, and no verification is counted.
	 */
	readonly outcome: Status | 'failed' | 'described';
	/** The recipients that a free answer took (`core/credits/free-answers.ts`); of domains, what it would have cost. */
	readonly free?: number;
	readonly now: number;
	/** The question about this address goes on, and a later call gets its answer. */
	readonly goesOn?: Digests;
	/**
	 * The answer is that of a question about this address that went on. It is charged once, to one of its callers.
	 */
	readonly late?: Digests;
	/** The answer to keep in the account's history, where the verification was recorded; null: it failed. */
	readonly keep?: Omit<KeptAnswer, 'charged'> | null;
	/** The answer to remember under the key of the call that made the reservation. */
	readonly remember?: {
		readonly key: string;
		readonly result: VerificationResult | readonly DomainReport[];
		readonly requestId: string;
	};
}

export interface Settled {
	/** Credits charged, even if an earlier call had settled the reservation. */
	readonly charged: number;
	readonly balance: BalanceView;
	/** The answer to give under the key: this one, or that of a faster call. Left out: there was none to remember. */
	readonly answer?: RememberedAnswer;
}
