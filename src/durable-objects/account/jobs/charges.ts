import { refund, settle } from '../../../core/credits/balance.ts';
import { countOutcomes } from '../../../core/credits/usage.ts';
import { NO_COUNTS, finalRows } from '../../../core/jobs/part.ts';
import type { RowCounts } from '../../../core/jobs/stored-row.ts';
import { requireState, runningDay } from '../credits/books.ts';
import type { AccountState } from '../credits/row.ts';
import { withLedger } from '../credits/storage.ts';
import type { CreditStorage } from '../credits/storage.ts';
import type { StoredJob } from './rows.ts';

/** Moves the credits of rows that became final from reserved to consumed or refunded. */
export function chargeRows(
	credits: CreditStorage,
	{ keyId, price }: StoredJob,
	added: RowCounts,
	now: number,
): void {
	const rows = finalRows(added);
	if (rows === 0) return;
	const reserved = rows * price;
	const state = requireState(credits);
	const refunded = added.unknown * price;
	const charged = reserved - refunded;
	const balance = settle(state.balance, { reserved, charged, refunded });
	const today = countOutcomes(runningDay(credits, state.today, now), keyId, added, charged);
	credits.write(withLedger({ ...state, balance, today }, { reserved: 0 - reserved, charged }));
}

/** Gives back what a key was charged. Its usage still counts the answers, since they were given. */
export function giveBack(
	storage: CreditStorage,
	state: AccountState,
	{ keyId, credits, now }: { readonly keyId: string; readonly credits: number; readonly now: number },
): AccountState {
	const today = countOutcomes(runningDay(storage, state.today, now), keyId, NO_COUNTS, -credits);
	return { ...state, balance: refund(state.balance, credits), today };
}
