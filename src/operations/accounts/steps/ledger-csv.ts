import type { AccountPort } from '../object-port.ts';
import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import type { CsvRow } from '../../../core/csv/write.ts';
import type { LedgerEntry } from '../port.ts';

/** The columns of a stored line. */
export const STORED_COLUMNS = [
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

/** The head of a ledger's CSV. The names of lists are the customer's words: they are added to what is downloaded. */
export const LEDGER_HEAD = [...STORED_COLUMNS, 'name'] as const satisfies CsvRow;

/** A stored line of a ledger's CSV. `key`: what its key is called in it. */
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

/** The names of the jobs and tasks among lines of a ledger, by their ids. */
export async function namesOf(
	account: Pick<AccountPort, 'jobNames'>,
	lines: readonly { readonly kind: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
	const jobIds = lines.filter(({ kind }) => isJobNoun(kind)).map(({ id }) => id);
	return new Map(jobIds.length === 0 ? [] : Object.entries(await account.jobNames({ jobIds })));
}
