import { assertBalance } from '../../../core/credits/balance.ts';
import type { Balance } from '../../../core/credits/balance.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import type { Category, Limits } from '../../../core/rate-limit/policy.ts';
import type { Window } from '../../../core/rate-limit/window.ts';
import { assert } from '../../../lib/assert.ts';
import { jsonOf, numberOrNull } from '../../sql.ts';
import type { Row } from '../../sql.ts';

export interface LedgerLine {
	readonly at: number;
	readonly id: string;
	readonly keyId: string | null;
	readonly credits: number;
	readonly charged: number | null;
	readonly closedAt: number | null;
}

/** The one wide row. */
export interface AccountState {
	readonly balance: Balance;
	readonly transactions: number;
	readonly lastTransactionAt: number | null;
	/** Open lines that the ledger gets once they are closed (account-reservations.ts). */
	readonly open: readonly LedgerLine[];
	readonly settledBefore: number;
	readonly limits: Partial<Limits>;
	readonly windows: Partial<Record<Category, Window>>;
	readonly today: UsageToday;
}

/** As it is stored: at, id, id of the key, credits. The view `lines` reads it by these places. */
type OpenEntry = readonly [number, string, string | null, number];

/** Reads `SELECT * FROM account`. */
export function stateOf(row: Row): AccountState {
	return assertState({
		balance: {
			granted: Number(row['granted']),
			consumed: Number(row['consumed']),
			reserved: Number(row['reserved']),
			refunded: Number(row['refunded']),
		},
		transactions: Number(row['transactions']),
		lastTransactionAt: numberOrNull(row['last_transaction_at']),
		open: jsonOf<OpenEntry[]>(row, 'open').map(lineOfEntry),
		settledBefore: Number(row['settled_before']),
		limits: jsonOf<Partial<Limits>>(row, 'limits'),
		windows: jsonOf<AccountState['windows']>(row, 'windows'),
		today: jsonOf<UsageToday>(row, 'today'),
	});
}

export const WRITE_ROW = `INSERT OR REPLACE INTO account (id, granted, consumed, reserved, refunded, transactions,
	last_transaction_at, settled_before, limits, windows, today, open) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** What `WRITE_ROW` binds. */
export function valuesOf(state: AccountState): SqlStorageValue[] {
	const { granted, consumed, reserved, refunded } = assertState(state).balance;
	return [
		granted,
		consumed,
		reserved,
		refunded,
		state.transactions,
		state.lastTransactionAt,
		state.settledBefore,
		JSON.stringify(state.limits),
		JSON.stringify(state.windows),
		JSON.stringify(state.today),
		JSON.stringify(state.open.map(entryOf)),
	];
}

/** Throws when a credit was made or lost, or one is set aside twice. Called on both sides of every write. */
function assertState(state: AccountState): AccountState {
	const { balance, open } = state;
	assertBalance(balance);
	const waiting = open.reduce((sum, { credits }) => sum + credits, 0);
	assert(waiting <= balance.reserved, 'what waits is reserved');
	// By time and id only where two ids are alike: making names of all would take longer than the rest.
	const isUnique =
		new Set(open.map(({ id }) => id)).size === open.length ||
		new Set(open.map(({ at, id }) => `${at} ${id}`)).size === open.length;
	assert(isUnique, 'a reservation waits once');
	return state;
}

function lineOfEntry([at, id, keyId, credits]: OpenEntry): LedgerLine {
	return { at, id, keyId, credits, charged: null, closedAt: null };
}

function entryOf({ at, id, keyId, credits, closedAt }: LedgerLine): OpenEntry {
	assert(closedAt === null, 'only what is open waits');
	return [at, id, keyId, credits];
}
