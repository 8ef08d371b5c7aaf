import type { Balance } from '../../../core/credits/balance.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import type { Category, Limits, Window } from '../../../core/rate-limit/window.ts';
import type { SigningSecret, CreditsLowView } from '../../../operations/webhooks/port.ts';

/** The account's one wide row. Of its balance the holds of single calls are in memory alone, and never stored. */
export interface AccountState extends Balance {
	readonly transactions: number;
	readonly lastTransactionAt: number | null;
	/** A digest of the domain that its first address is at; null: not known. */
	readonly owner: string | null;
	/** When it was suspended (for a while) or closed (for good); epoch ms. */
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
	readonly limits: Partial<Limits>;
	readonly windows: Partial<Record<Category, Window>>;
	readonly today: UsageToday;
	/** Lines made before this time were deleted, or are about to be: the beginning of a day (UTC), epoch ms. */
	readonly keptFrom: number;
	/** By how much the deleted lines had changed the balance. */
	readonly deletedChange: number;
	readonly creditsLow: CreditsLowView;
	/** Null: no job had a callback so far. */
	readonly callback: SigningSecret | null;
	/** How many outcomes the account has told on a day; null: none. */
	readonly told: { readonly day: string; readonly outcomes: number } | null;
}

// The longest call is cut off after 30 seconds: the Worker of a call without an answer after five minutes has died.
export const HOLD_MS = 5 * 60_000;
