import type { CsvRow } from '../../../core/csv/write.ts';
import type { LedgerEntry } from '../port.ts';

/** The head of a ledger's CSV. */
export const LEDGER_HEAD = [
	'when',
	'what',
	'id',
	'key',
	'credits',
	'charged',
	'refunded',
	'released',
	'reserved',
	'change',
	'balance_after',
] as const satisfies CsvRow;

/** A line of a ledger's CSV. `key`: what its key is called in it. */
export function ledgerRow(line: LedgerEntry, key: string | null): CsvRow {
	return [
		new Date(line.at).toISOString(),
		line.kind,
		line.id,
		key,
		line.credits,
		line.charged,
		line.refunded,
		line.released,
		line.reserved,
		line.change,
		line.balanceAfter,
	];
}
