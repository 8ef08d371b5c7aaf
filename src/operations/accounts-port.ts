import type { KeyUsage } from '../core/credits/usage.ts';
import type { Category, Limits } from '../core/rate-limit/policy.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import type { Status } from '../core/verification/sub-status.ts';
import type { AccountDesk } from './account-desk-port.ts';
import type { JobRecord, JobStore } from './jobs-port.ts';

/** The credits of an account as GET /v1/credits tells them. */
export interface BalanceView {
	readonly balance: number;
	readonly availableCredits: number;
	readonly reservedCredits: number;
	readonly totalPurchased: number;
	readonly totalConsumed: number;
	readonly totalRefunded: number;
	readonly transactionCount: number;
	/** Epoch milliseconds. */
	readonly lastTransactionAt: number | null;
}

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
	| { readonly kind: 'unauthenticated'; readonly window: WindowView }
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

export interface KeyView {
	readonly id: string;
	readonly label: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
	readonly revoked: boolean;
	readonly revokedAt: number | null;
	readonly usage: KeyUsage | null;
}

export interface AccountView {
	/** Epoch milliseconds; null for an account that is not suspended. */
	readonly suspendedAt: number | null;
	readonly balance: BalanceView;
	readonly limits: Limits;
	readonly keys: readonly KeyView[];
}

export interface NewKey {
	readonly id: string;
	readonly secretHash: string;
	readonly label: string;
}

export type GrantResult =
	| { readonly kind: 'granted' | 'repeated'; readonly balance: BalanceView }
	/** The id was used for another amount. */
	| { readonly kind: 'mismatch'; readonly credits: number }
	/** A negative adjustment of more than is available. */
	| { readonly kind: 'insufficient_credits'; readonly available: number };

/** One account's serialised state. Every call may be repeated with the same ids and then changes nothing. */
export interface AccountStore {
	/** `key` null: the account begins without one. */
	open(request: { now: number; initialCredits: number; key: NewKey | null }): Promise<void>;
	admit(request: AdmitRequest): Promise<Admission>;
	settle(request: SettleRequest): Promise<Settled>;
	grant(request: { id: string; credits: number; now: number }): Promise<GrantResult>;
	setLimits(limits: Partial<Limits>): Promise<Limits>;
	/** False: there is no such key. */
	revokeKey(request: { keyId: string; now: number }): Promise<boolean>;
	show(): Promise<AccountView>;
}

/** All accounts, by their id. */
export type Accounts = (accountId: string) => AccountStore & AccountDesk & JobStore;
