import type { BalanceView } from '../../core/credits/balance.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import type { JobNoun } from '../../core/jobs/kinds/kinds.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import type { Limits } from '../../core/rate-limit/window.ts';

export interface KeyView {
	readonly id: string;
	/** The version of the service's secret that signed it. */
	readonly version: number;
	readonly label: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
	readonly revoked: boolean;
	readonly revokedAt: number | null;
	/** The last characters of the key, by which people recognise it. */
	readonly ending: string;
	readonly scopes: readonly Scope[];
	/** From when on it is refused; null: never. */
	readonly expiresAt: number | null;
	readonly usage: KeyUsage | null;
}

export interface AccountView {
	/** Epoch milliseconds; null for an account that is not suspended. */
	readonly suspendedAt: number | null;
	/** When its owner deleted it. */
	readonly closedAt: number | null;
	readonly balance: BalanceView;
	readonly limits: Limits;
	readonly keys: readonly KeyView[];
}

export interface NewKey {
	readonly id: string;
	readonly secretHash: string;
	/** The version of the service's secret that signed it. */
	readonly version: number;
	readonly label: string;
	/** The last characters of the key. */
	readonly ending: string;
	readonly scopes: readonly Scope[];
	/** Epoch milliseconds; null: the key never expires. */
	readonly expiresAt: number | null;
}

export type GrantResult =
	/** `credits`: by how much the balance was changed. */
	| { readonly kind: 'granted' | 'repeated'; readonly credits: number; readonly balance: BalanceView }
	/** The id was used before, for another amount. */
	| { readonly kind: 'mismatch'; readonly credits: number }
	/** Its owner deleted the account. */
	| { readonly kind: 'closed' }
	/** A negative adjustment of more than is available. */
	| { readonly kind: 'insufficient_credits'; readonly available: number };

export type CreateKeyResult =
	/** `repeated`: the key with this id was created before. */
	| { readonly kind: 'created' | 'repeated'; readonly key: KeyView }
	/** The key with this id was created before and has been revoked. */
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
	/** Released because the work failed by our fault, or never began. */
	readonly released: number;
	/** Still set aside. */
	readonly reserved: number;
	/** A verification's status, or how a job ended; null while it runs, and for grants. */
	readonly outcome: string | null;
	readonly keyId: string | null;
	/** Null without a key, as for the dashboard itself. */
	readonly keyLabel: string | null;
	readonly closedAt: number | null;
	/** By how much the line has changed the balance so far: a grant adds credits, work subtracts what was charged. */
	readonly change: number;
}

/** A place in the ledger, whose lines are ordered by time, then by id. */
export interface LedgerPlace {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly id: string;
}

export interface LedgerPage {
	/** The newest first. */
	readonly entries: readonly LedgerEntry[];
	/** The page of older lines begins before this place; null: there are none. With a `kind` they may turn out to be none. */
	readonly older: LedgerPlace | null;
	readonly balance: BalanceView;
	/** The months with lines that are not deleted, the newest first. */
	readonly months: readonly LedgerMonth[];
}

/** A month with lines that are not deleted. */
export interface LedgerMonth {
	/** `2026-11`, UTC. */
	readonly month: string;
	/** By how much the balance changed. */
	readonly change: number;
	/** The balance at its end, or now. */
	readonly balance: number;
}

/** The usage of one key on one day (UTC). */
export interface DayOfKey {
	/** `2026-11-21`. */
	readonly day: string;
	readonly keyId: string;
	readonly usage: KeyUsage;
}

/** Identifies the account. */
export interface AccountRef {
	readonly accountId: string;
}

/** An admitted account, and the id under which its usage is counted: a key's, or `OWNERS_KEY_ID`. */
export interface Admitted extends AccountRef {
	readonly keyId: string;
}

/** Regions of the platform (Durable Objects, "Provide a location hint"). */
export const ACCOUNT_LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;
export type AccountLocation = (typeof ACCOUNT_LOCATIONS)[number];
