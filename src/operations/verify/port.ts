import type { Category } from '../../core/rate-limit/policy.ts';
import type { WindowView } from '../../core/rate-limit/window.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { JobRecord } from '../jobs/port.ts';

/** The key of a reservation: `at` (epoch ms) orders the ledger, `id` is the caller's. */
export interface ReservationRef {
	readonly id: string;
	readonly at: number;
}

/** Replaces a key for the actions of a person who is signed in. Usage is counted under this id. */
export const BY_DASHBOARD = { keyId: 'dashboard', secretHash: null } as const;

export interface AdmitRequest {
	readonly keyId: string;
	/** SHA-256 of the key's secret, hex; null for a person who is signed in (`BY_DASHBOARD`). */
	readonly secretHash: string | null;
	readonly category: Category;
	readonly windowMs: number;
	/** Epoch milliseconds. */
	readonly now: number;
	/** Credits to reserve in the same step; null for requests that are free. */
	readonly reservation: { readonly id: string; readonly credits: number } | null;
	/** The job or task that the request is about; its record is returned by the same call. */
	readonly jobId?: string;
}

/** Refusals are values: an error would lose its class on the way out of the object. */
/**
 * Why a key is refused. `revoked` is permanent; `suspended` lasts as long as the suspension, and is only told to a key
 * of the account; `unknown` says nothing of the account.
 */
export type KeyRefusal = 'unknown' | 'revoked' | 'suspended';

export type Admission =
	| {
			readonly kind: 'admitted';
			readonly window: WindowView;
			readonly balance: BalanceView;
			/** Null: not requested, or there is no such job. */
			readonly job: JobRecord | null;
	  }
	/** Nothing in the account has changed. */
	| { readonly kind: 'unauthenticated'; readonly window: WindowView; readonly because: KeyRefusal }
	| { readonly kind: 'rate_limited'; readonly window: WindowView }
	| { readonly kind: 'insufficient_credits'; readonly window: WindowView; readonly available: number };

export interface SettleRequest {
	readonly reservation: ReservationRef;
	/** How the work ended; `failed`: by our fault, so it is neither charged nor counted. */
	readonly outcome: Status | 'failed';
	readonly now: number;
}

export interface Settled {
	/** Credits charged, even if an earlier call had settled the reservation. */
	readonly charged: number;
	readonly balance: BalanceView;
}

/** Admits requests and settles their credits. Every call may be repeated with the same ids and then changes nothing. */
export interface Admissions {
	admit(request: AdmitRequest): Promise<Admission>;
	settle(request: SettleRequest): Promise<Settled>;
}
