import type { BalanceView } from '../../core/credits/balance.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import { JOB_NOUNS } from '../../core/jobs/kinds/kinds.ts';
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

/** All of them. */
export const LEDGER_KINDS: readonly LedgerKind[] = ['grant', 'adjustment', 'verification', ...JOB_NOUNS];

/** Which lines of the ledger are meant. Null: no bound. */
export interface LedgerFilter {
	readonly kind: LedgerKind | null;
	/** From this time on, epoch ms. */
	readonly from: number | null;
	/** Before this time. */
	readonly until: number | null;
}

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
	/** The sum of the changes up to and including this line, in the ledger's order. */
	readonly balanceAfter: number;
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
	/** Lines of the whole ledger, deleted lines included. */
	readonly total: number;
	readonly balance: BalanceView;
	/** Sums over all lines, deleted lines included. */
	readonly totals: { readonly granted: number; readonly charged: number; readonly reserved: number };
	/** Whether the lines add up to the balance. */
	readonly reconciled: boolean;
	/** The months with lines that are not deleted, the newest first. */
	readonly months: readonly LedgerMonth[];
}

/** The lines of a month that are not deleted. */
export interface LedgerMonth {
	/** `2026-11`, UTC. */
	readonly month: string;
	readonly lines: number;
	/** By how much they changed the balance, with what running jobs have charged so far. */
	readonly change: number;
}

/** The usage of one key on one day (UTC). */
export interface DayOfKey {
	/** `2026-11-21`. */
	readonly day: string;
	readonly keyId: string;
	readonly usage: KeyUsage;
}

/** The requests of an account since a day, for an operator who looks for an abuser. */
export interface AccountSurvey {
	readonly verifications: number;
	/** How many of them cost nothing. */
	readonly unknown: number;
	readonly credits: number;
	/** Messages of the account's own that it reported as bounced. */
	readonly bounces: number;
}

/** The answers of a page of accounts. */
export interface AskedAccounts<T> {
	/** Without accounts that have nothing to say. */
	readonly accounts: readonly (T & { readonly accountId: string })[];
	/** Accounts that did not answer. */
	readonly missing: readonly string[];
	/** Where to go on; null: that was all. */
	readonly next: string | null;
}

/** The versions of the service's signing secret that an account depends on: one entry for each thing. */
export interface SecretVersions {
	/** Versions of the secrets that signed keys which are neither revoked nor expired. */
	readonly keys: readonly number[];
	/** Versions of the secrets that sign webhooks. */
	readonly webhooks: readonly number[];
}

/** The versions that a page of accounts depends on. */
export interface FoundSecretVersions extends AskedAccounts<SecretVersions> {
	/** The version of the secret that signs now; null: there is none. */
	readonly current: number | null;
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
