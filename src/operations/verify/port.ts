import type { Category } from '../../core/rate-limit/policy.ts';
import type { WindowView } from '../../core/rate-limit/window.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { JobRecord } from '../jobs/port.ts';

/** A reservation is found again by both: `at` (epoch ms) orders the ledger, `id` is the caller's. */
export interface ReservationRef {
	readonly id: string;
	readonly at: number;
}

/** In the place of a key, for what somebody does who is signed in. Usage is counted under this id. */
export const BY_DASHBOARD = { keyId: 'dashboard', secretHash: null } as const;

export interface AdmitRequest {
	readonly keyId: string;
	/** SHA-256 of the key's secret, hex; null for a person who is signed in (`BY_DASHBOARD`). */
	readonly secretHash: string | null;
	readonly category: Category;
	readonly windowMs: number;
	/** Epoch milliseconds. */
	readonly now: number;
	/** Credits to set aside in the same step; null for requests that cost nothing. */
	readonly reservation: { readonly id: string; readonly credits: number } | null;
	/** A job or task that the request is about, told in the same call. */
	readonly jobId?: string;
}

/** Refusals are values: an error would lose its class on the way out of the object. */
export type Admission =
	| {
			readonly kind: 'admitted';
			readonly window: WindowView;
			readonly balance: BalanceView;
			/** Null: not asked for, or there is none. */
			readonly job: JobRecord | null;
	  }
	/** Nothing of the account has moved. `isRevoked`: the key was ended, which is for good. */
	| { readonly kind: 'unauthenticated'; readonly window: WindowView; readonly isRevoked: boolean }
	| { readonly kind: 'rate_limited'; readonly window: WindowView }
	| { readonly kind: 'insufficient_credits'; readonly window: WindowView; readonly available: number };

export interface SettleRequest {
	readonly reservation: ReservationRef;
	/** How the work ended; `failed` by our own fault, which costs nothing and counts as nothing. */
	readonly outcome: Status | 'failed';
	readonly now: number;
}

export interface Settled {
	/** Credits charged, also when an earlier attempt had settled it. */
	readonly charged: number;
	readonly balance: BalanceView;
}

/** The account's door and till. Every call may be repeated with the same ids and then changes nothing. */
export interface Admissions {
	admit(request: AdmitRequest): Promise<Admission>;
	settle(request: SettleRequest): Promise<Settled>;
}
