import type { AccountPort } from '../object-port.ts';
import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
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
	'name',
] as const satisfies CsvRow;

/** A line of a ledger's CSV. `name`: that of its list or task. */
export function ledgerRow(line: LedgerEntry, name: string | null): CsvRow {
	return [
		new Date(line.at).toISOString(),
		line.kind,
		line.id,
		line.keyLabel,
		line.credits,
		line.charged,
		line.refunded,
		line.released,
		line.reserved,
		line.change,
		line.balanceAfter,
		name,
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
