import { isJobNoun } from '../../../core/jobs/kinds/kinds.ts';
import type { LedgerEntry } from '../../../operations/accounts/port.ts';
import type { AccountContext } from '../context.ts';
import type { AccountJobs } from '../jobs/jobs.ts';
import { listKeys } from '../keys.ts';
import type { LedgerLine } from './row.ts';

/** The lines of a page of the ledger. */
export function entriesOf({ sql, jobs }: AccountContext, lines: readonly LedgerLine[]): LedgerEntry[] {
	const labels = new Map(listKeys(sql).map(({ id, label }) => [id, label]));
	return lines.map((line) => entryOf(jobs, labels, line));
}

function entryOf(jobs: AccountJobs, labels: ReadonlyMap<string, string>, stored: LedgerLine): LedgerEntry {
	const { credits, keyId } = stored;
	const line = { ...stored, keyLabel: keyId === null ? null : (labels.get(keyId) ?? null) };
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
	const charged = line.charged ?? 0;
	const refunded = line.outcome === 'unknown' ? credits - charged : 0;
	const released = credits - charged - refunded;
	return { ...line, charged, refunded, released, reserved: 0, change: 0 - charged };
}
