import { assert } from '../../lib/assert.ts';
import type { Balance } from './balance.ts';

/** The sums of all lines of a ledger, including deleted lines. Whole numbers. */
export interface LedgerSums {
	readonly lines: number;
	/** The sum of grants and adjustments. */
	readonly granted: number;
	/** The sum of charges, including those of work that still runs. */
	readonly charged: number;
	/** Set aside by open lines and not yet charged, refunded or released. */
	readonly reserved: number;
}

export const NO_LINES: LedgerSums = { lines: 0, granted: 0, charged: 0, reserved: 0 };

/** The sums after a line was added, or changed. */
export function changeSums(sums: LedgerSums, change: Partial<LedgerSums>): LedgerSums {
	const { lines = 0, granted = 0, charged = 0, reserved = 0 } = change;
	return {
		lines: sums.lines + lines,
		granted: sums.granted + granted,
		charged: sums.charged + charged,
		reserved: sums.reserved + reserved,
	};
}

/** Throws if the ledger and the balance differ. Called before and after every write. */
export function assertSums(sums: LedgerSums, balance: Balance): LedgerSums {
	assert(Number.isSafeInteger(sums.lines) && sums.lines >= 0, 'lines are a whole number from 0');
	assert(sums.granted === balance.granted, 'every grant has a line in the ledger');
	assert(sums.charged === balance.consumed, 'every charge has a line in the ledger');
	assert(sums.reserved === balance.reserved, 'every reservation has a line in the ledger');
	return sums;
}
