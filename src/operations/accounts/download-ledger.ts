import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { AccountRef, LedgerFilter, LedgerPlace } from './port.ts';
import type { IdentityServices } from '../people/port.ts';
import { listLedger } from './list-ledger.ts';
import { LEDGER_HEAD, ledgerRow, namesOf } from './steps/ledger-csv.ts';

// Each page is one call of the account: its other callers wait meanwhile, and a request may make 1,000 such calls.
const PAGE_SIZE = 2_000;
// Lines of one kind are far apart, and the balance after each is looked up.
const PAGE_SIZE_OF_KIND = 200;
const ALL: LedgerFilter = { kind: null, from: null, until: null };

/** The lines of the account's ledger as CSV, newest first, streamed. */
export function downloadLedger(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
	request: { readonly filter?: LedgerFilter } = {},
): ReadableStream<Uint8Array> {
	return streamOf(writeCsv(rowsOf(services, account, request.filter ?? ALL)));
}

async function* rowsOf(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
	filter: LedgerFilter,
): AsyncGenerator<CsvRow, void, undefined> {
	yield LEDGER_HEAD;
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<typeof listLedger>> = await listLedger(services, account, {
			before,
			pageSize: filter.kind === null ? PAGE_SIZE : PAGE_SIZE_OF_KIND,
			filter,
		});
		const names = await namesOf(services.accounts(account.accountId), page.entries);
		for (const line of page.entries) yield ledgerRow(line, names.get(line.id) ?? null);
		before = page.older;
	} while (before !== null);
}
