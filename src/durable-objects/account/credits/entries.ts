import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import type { LedgerEntry, LedgerKind } from '../../../operations/accounts/port.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import { listKeys } from '../keys.ts';

/** The lines of a page of the ledger. */
export function entriesOf({ sql, jobs }: AccountContext, rows: readonly Row[]): LedgerEntry[] {
	const labels = labelsOf(sql);
	return rows.map((row) => entryOf(jobs, labels, row));
}

function labelsOf(sql: Sql): ReadonlyMap<string, string> {
	return new Map(listKeys(sql).map(({ id, label }) => [id, label]));
}

function entryOf(jobs: AccountJobs, labels: ReadonlyMap<string, string>, row: Row): LedgerEntry {
	const keyId = textOrNull(row, 'key_id');
	const credits = numberOf(row, 'credits');
	const line = {
		id: textOf(row, 'id'),
		at: numberOf(row, 'at'),
		// The table's CHECK allows no other value.
		kind: textOf(row, 'kind') as LedgerKind,
		credits,
		outcome: textOrNull(row, 'outcome'),
		keyId,
		keyLabel: keyId === null ? null : (labels.get(keyId) ?? null),
		closedAt: numberOrNull(row['closed_at']),
	};
	const nothing = { charged: 0, refunded: 0, released: 0, reserved: 0 };
	if (line.kind === 'grant' || line.kind === 'adjustment') return { ...line, ...nothing, change: credits };
	// While a job runs, its charges are in its parts and not yet in its line.
	const job = isJobNoun(line.kind) ? jobs.findReadable(line.id) : null;
	if (job !== null) {
		const { creditsUsed: charged, creditsRefunded: refunded, creditsReserved: reserved } = job;
		const released = credits - charged - refunded - reserved;
		return { ...line, charged, refunded, reserved, released, change: 0 - charged };
	}
	// A running job that is damaged.
	if (line.closedAt === null) return { ...line, ...nothing, reserved: credits, change: 0 };
	const charged = numberOrNull(row['charged']) ?? 0;
	const refunded = line.outcome === 'unknown' ? credits - charged : 0;
	const released = credits - charged - refunded;
	return { ...line, charged, refunded, released, reserved: 0, change: 0 - charged };
}
