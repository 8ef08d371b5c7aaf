import type { KeyUsage } from '../core/credits/usage.ts';
import type { BalanceView, KeyView, NewKey } from './accounts-port.ts';

// What the owner of an account does at the dashboard, beside what keys do (accounts-port.ts).

export type CreateKeyResult =
	/** `repeated`: the key with this id was created before. */
	| { readonly kind: 'created' | 'repeated'; readonly key: KeyView }
	/** The key with this id was created before and has ended. */
	| { readonly kind: 'ended' }
	| { readonly kind: 'too_many'; readonly max: number }
	/** The account is suspended or closed. */
	| { readonly kind: 'shut' };

export type LedgerKind = 'grant' | 'adjustment' | 'verification' | 'job' | 'task';

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

/** Every call may be repeated and then changes nothing. */
export interface AccountDesk {
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
