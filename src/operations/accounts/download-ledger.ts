import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { AccountRef, LedgerPlace } from './port.ts';
import type { IdentityServices } from '../people/port.ts';
import { listLedger } from './list-ledger.ts';
import { LEDGER_HEAD, ledgerRow, namesOf } from './steps/ledger-csv.ts';

// Each page is one call of the account, which others wait for.
const PAGE_SIZE = 1_000;

/** All lines that the account holds as CSV, newest first, streamed. Older ones are in the files of their months. */
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
	yield LEDGER_HEAD;
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<typeof listLedger>> = await listLedger(services, account, {
			before,
			pageSize: PAGE_SIZE,
		});
		const names = await namesOf(services.accounts(account.accountId), page.entries);
		for (const line of page.entries) yield [...ledgerRow(line, line.keyLabel), names.get(line.id) ?? null];
		before = page.older;
	} while (before !== null);
}
