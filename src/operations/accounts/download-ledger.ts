import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { AccountRef, LedgerEntry } from './port.ts';
import type { IdentityServices } from '../people/port.ts';
import { listLedger } from './list-ledger.ts';

// For each page the account scans the whole ledger, so pages are large.
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

/** The whole ledger as CSV, newest line first, streamed. */
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
			// Lines written meanwhile shift lines that were already sent to the next page.
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
