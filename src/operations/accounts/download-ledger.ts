import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { AccountRef, LedgerEntry } from './port.ts';
import type { IdentityServices } from '../people/port.ts';
import { listLedger } from './list-ledger.ts';

// Each page costs the account a look at the whole ledger, so there are few of them.
const PAGE_SIZE = 5_000;
const HEADER = [
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
];

/** The whole ledger as CSV, newest line first, read as it is sent. */
export function downloadLedger(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
): ReadableStream<Uint8Array> {
	return streamOf(writeCsv(rowsOf(services, account)));
}

async function* rowsOf(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
): AsyncGenerator<CsvRow, void, undefined> {
	yield HEADER;
	let last: LedgerEntry | null = null;
	for (let page = 1; ; page += 1) {
		const { entries, total } = await listLedger(services, account, { page, pageSize: PAGE_SIZE });
		for (const line of entries) {
			// Lines that were written meanwhile push those that were told onto the next page.
			if (last !== null && !isOlder(line, last)) continue;
			last = line;
			yield [
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
			];
		}
		if (entries.length === 0 || page * PAGE_SIZE >= total) return;
	}
}

/** In the ledger's order: by time, then by id. */
function isOlder(line: LedgerEntry, than: LedgerEntry): boolean {
	return line.at < than.at || (line.at === than.at && line.id < than.id);
}
