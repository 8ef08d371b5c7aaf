import { assertBalance } from '../../../core/credits/balance.ts';
import type { Balance } from '../../../core/credits/balance.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import type { Category, Limits, Window } from '../../../core/rate-limit/window.ts';
import type { LedgerKind, LedgerPlace } from '../../../operations/accounts/port.ts';
import { jsonOf, numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row } from '../../sql.ts';

export interface LedgerLine {
	readonly at: number;
	readonly id: string;
	readonly kind: LedgerKind;
	readonly keyId: string | null;
	readonly credits: number;
	readonly charged: number | null;
	readonly closedAt: number | null;
	/** Null while it is open. */
	readonly outcome: string | null;
}

/** The ledger's part of the account's row. */
interface LedgerState {
	/** Lines made before this time were deleted, or are about to be: the beginning of a day (UTC), epoch ms. */
	readonly keptFrom: number;
	/** By how much the deleted lines had changed the balance. */
	readonly deleted: number;
}

/** The account's one wide row. */
export interface AccountState {
	readonly balance: Balance;
	readonly transactions: number;
	readonly lastTransactionAt: number | null;
	/** A digest of the domain that its first address is at; null: not known. */
	readonly owner: string | null;
	readonly limits: Partial<Limits>;
	readonly windows: Partial<Record<Category, Window>>;
	readonly today: UsageToday;
	readonly ledger: LedgerState;
}

/** The place of a row of the ledger. */
export function placeOf(row: Row): LedgerPlace {
	return { at: numberOf(row, 'at'), id: textOf(row, 'id') };
}

/** Reads `SELECT * FROM account`. */
export function stateOf(row: Row): AccountState {
	const balance = assertBalance({
		granted: Number(row['granted']),
		consumed: Number(row['consumed']),
		reserved: Number(row['reserved']),
		held: 0,
		refunded: Number(row['refunded']),
	});
	return {
		balance,
		transactions: Number(row['transactions']),
		lastTransactionAt: numberOrNull(row['last_transaction_at']),
		owner: textOrNull(row, 'owner'),
		limits: jsonOf<Partial<Limits>>(row, 'limits'),
		windows: jsonOf<AccountState['windows']>(row, 'windows'),
		today: jsonOf<UsageToday>(row, 'today'),
		ledger: jsonOf<LedgerState>(row, 'ledger'),
	};
}

export const WRITE_ROW = `INSERT OR REPLACE INTO account (id, granted, consumed, reserved, refunded, transactions,
	last_transaction_at, owner, limits, windows, today, ledger) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The values for `WRITE_ROW`. */
export function valuesOf(state: AccountState): SqlStorageValue[] {
	const { granted, consumed, reserved, refunded } = assertBalance(state.balance);
	return [
		granted,
		consumed,
		reserved,
		refunded,
		state.transactions,
		state.lastTransactionAt,
		state.owner,
		JSON.stringify(state.limits),
		JSON.stringify(state.windows),
		JSON.stringify(state.today),
		JSON.stringify(state.ledger),
	];
}

// The longest call is cut off after 30 seconds: the Worker of a call without an answer after five minutes has died.
export const RESERVATION_LIFETIME_MS = 5 * 60_000;
