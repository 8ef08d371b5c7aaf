import { assert } from '../../lib/assert.ts';

/** The credits of one account, whole numbers. The available ones are not stored, as they follow from the others. */
export interface Balance {
	/** All grants, minus withdrawals. */
	readonly granted: number;
	/** Charged finally. */
	readonly consumed: number;
	/** Set aside for running jobs. */
	readonly reserved: number;
	/** Set aside for single calls under way. It is in memory alone, and never stored. */
	readonly held: number;
	/** Refunded because the answer was `unknown`. For information: not part of the sum. */
	readonly refunded: number;
}

export const EMPTY_BALANCE: Balance = { granted: 0, consumed: 0, reserved: 0, held: 0, refunded: 0 };

/** Credits that can be spent now. */
export function available({ granted, consumed, reserved, held }: Balance): number {
	return granted - consumed - reserved - held;
}

/** Throws if credits were created or lost. Called before and after every write. */
export function assertBalance<B extends Balance>(balance: B): B {
	const { granted, consumed, reserved, held, refunded } = balance;
	const all = { granted, consumed, reserved, held, refunded, available: available(balance) };
	for (const [name, credits] of Object.entries(all))
		assert(Number.isSafeInteger(credits) && credits >= 0, `${name} credits are a whole number from 0`);
	return balance;
}

/** Adds bought or given credits. */
export function grant<B extends Balance>(balance: B, credits: number): B {
	assert(Number.isSafeInteger(credits) && credits >= 0, 'a grant adds credits');
	return assertBalance({ ...balance, granted: balance.granted + credits });
}

/** Takes available credits back; null: fewer are available. */
export function withdraw<B extends Balance>(balance: B, credits: number): B | null {
	assert(Number.isSafeInteger(credits) && credits > 0, 'a withdrawal takes credits');
	if (available(balance) < credits) return null;
	return assertBalance({ ...balance, granted: balance.granted - credits });
}

/** Sets credits aside; null: fewer are available. */
export function reserve<B extends Balance>(balance: B, credits: number): B | null {
	assert(Number.isSafeInteger(credits) && credits >= 0, 'a reservation is a whole number of credits');
	if (available(balance) < credits) return null;
	return assertBalance({ ...balance, reserved: balance.reserved + credits });
}

/** How a reservation ends: how much of it is charged, and how much refunded for `unknown`. */
interface Settlement {
	readonly reserved: number;
	readonly charged: number;
	readonly refunded: number;
}

/** Ends a reservation: charges a part of it and releases the rest. */
export function settle<B extends Balance>(balance: B, { reserved, charged, refunded }: Settlement): B {
	assert(
		charged >= 0 && refunded >= 0 && charged + refunded <= reserved,
		'no more is settled than was reserved',
	);
	return assertBalance({
		...balance,
		reserved: balance.reserved - reserved,
		consumed: balance.consumed + charged,
		refunded: balance.refunded + refunded,
	});
}

/** Ends a single call, whose credits are held no longer. Credits that are gone by then are not charged. */
export function settleCall<B extends Balance>(
	balance: B,
	{ charged, refunded }: Omit<Settlement, 'reserved'>,
): { readonly balance: B; readonly charged: number } {
	const paid = charged <= available(balance) ? charged : 0;
	const { consumed } = balance;
	const settled = { ...balance, consumed: consumed + paid, refunded: balance.refunded + refunded };
	return { balance: assertBalance(settled), charged: paid };
}

/** Gives back credits that were charged for work that failed. */
export function refund<B extends Balance>(balance: B, credits: number): B {
	assert(Number.isSafeInteger(credits) && credits >= 0, 'a refund gives credits back');
	return assertBalance({
		...balance,
		consumed: balance.consumed - credits,
		refunded: balance.refunded + credits,
	});
}

/** The credits of an account as GET /v1/credits returns them. Times are epoch milliseconds. */
export function viewOfBalance(
	account: Balance & { readonly transactions: number; readonly lastTransactionAt: number | null },
) {
	const { granted, consumed, reserved, held, refunded, transactions, lastTransactionAt } = account;
	return {
		balance: granted - consumed,
		availableCredits: available(account),
		reservedCredits: reserved + held,
		totalPurchased: granted,
		totalConsumed: consumed,
		totalRefunded: refunded,
		transactionCount: transactions,
		lastTransactionAt,
	};
}

export type BalanceView = Readonly<ReturnType<typeof viewOfBalance>>;
