import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import type { JobNoun } from '../../core/jobs/kinds/kinds.ts';
import type { Limits } from '../../core/rate-limit/policy.ts';
import type { JobStore } from '../jobs/port.ts';
import type { Admissions } from '../verify/port.ts';

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
	/** Its owner deleted the account. */
	| { readonly kind: 'closed' }
	/** A negative adjustment of more than is available. */
	| { readonly kind: 'insufficient_credits'; readonly available: number };

export type CreateKeyResult =
	/** `repeated`: the key with this id was created before. */
	| { readonly kind: 'created' | 'repeated'; readonly key: KeyView }
	/** The key with this id was created before and has ended. */
	| { readonly kind: 'ended' }
	| { readonly kind: 'too_many'; readonly max: number }
	/** The account is suspended or closed. */
	| { readonly kind: 'shut' };

export type LedgerKind = 'grant' | 'adjustment' | 'verification' | JobNoun;

/**
 * One line of the ledger. A grant or an adjustment changes the balance by `credits`; for work,
 * `credits` = charged + refunded + released + reserved.
 */
export interface LedgerEntry {
	/** The grant's id, or that of the verification, job or task. */
	readonly id: string;
	/** Epoch milliseconds. */
	readonly at: number;
	readonly kind: LedgerKind;
	readonly credits: number;
	readonly charged: number;
	/** Given back because the answer was `unknown`. */
	readonly refunded: number;
	/** Set free because the work failed by our own fault, or never began. */
	readonly released: number;
	/** Still set aside. */
	readonly reserved: number;
	/** A verification's status, or how a job ended; null while it runs, and for grants. */
	readonly outcome: string | null;
	readonly keyId: string | null;
	/** Null for a key that is not known, such as the dashboard itself. */
	readonly keyLabel: string | null;
	readonly closedAt: number | null;
	/** What the line did to the balance so far: a grant adds its credits, work takes what was charged. */
	readonly change: number;
	/** The sum of the changes up to and with this line, in the ledger's order. */
	readonly balanceAfter: number;
}

export interface LedgerPage {
	/** The newest first. */
	readonly entries: readonly LedgerEntry[];
	/** Lines of the whole ledger. */
	readonly total: number;
	readonly balance: BalanceView;
	/** Sums over all lines. */
	readonly totals: { readonly granted: number; readonly charged: number; readonly reserved: number };
	/** Whether the balance is what the lines add up to. */
	readonly reconciled: boolean;
}

/** What one key did on one day (UTC). */
export interface DayOfKey {
	/** `2026-11-21`. */
	readonly day: string;
	readonly keyId: string;
	readonly usage: KeyUsage;
}

/** One account's serialised state. Every call may be repeated with the same ids and then changes nothing. */
export interface AccountStore {
	/** `key` null: the account begins without one. */
	open(request: { now: number; initialCredits: number; key: NewKey | null }): Promise<void>;
	grant(request: { id: string; credits: number; now: number }): Promise<GrantResult>;
	setLimits(limits: Partial<Limits>): Promise<Limits>;
	/** False: there is no such key. */
	revokeKey(request: { keyId: string; now: number }): Promise<boolean>;
	show(): Promise<AccountView>;
	createKey(request: { key: NewKey; now: number }): Promise<CreateKeyResult>;
	/** `page` counts from 1; a page has at most 1000 lines. */
	listLedger(request: { page: number; pageSize: number }): Promise<LedgerPage>;
	/** The days with any usage, from `from` (`2026-11-21`) on, oldest first. */
	usageSince(from: string): Promise<readonly DayOfKey[]>;
	/** While suspended, no key opens the door and no key can be made; null ends it. */
	suspend(request: { at: number | null }): Promise<void>;
	/** For good: all keys end, jobs stop, their blobs are deleted by the alarm, credits that are left are withdrawn. */
	close(request: { now: number }): Promise<void>;
}

/** Everything that can be asked of an account. */
export type AccountPort = AccountStore & Admissions & JobStore;

/** Whose account something is done in. */
export interface AccountRef {
	readonly accountId: string;
}

/** An account that was let in, and under what its usage is counted: a key, or its owner without one. */
export interface Admitted extends AccountRef {
	readonly keyId: string;
}

/** All accounts, by their id. */
export type Accounts = (accountId: string) => AccountPort;
