import type { LedgerPlace } from '../../core/credits/ledger.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { AccountPort } from './port.ts';

/** The columns after the time and the kind of a line, as the fields are named. */
const FIGURES = ['credits', 'charged', 'refunded', 'released', 'reserved', 'change', 'name'] as const;

// Each page is one call of the account: its other callers wait meanwhile, and a request may make 1,000 such calls.
const PAGE_SIZE = 2_000;

/** The lines of the account's ledger as CSV, newest first, streamed. */
export function downloadLedger(account: Pick<AccountPort, 'listLedger'>): ReadableStream<Uint8Array> {
	return streamOf(writeCsv(rowsOf(account)));
}

async function* rowsOf({
	listLedger,
}: Pick<AccountPort, 'listLedger'>): AsyncGenerator<CsvRow, void, undefined> {
	yield ['when', 'what', 'id', 'key', ...FIGURES];
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<typeof listLedger>> = await listLedger({ before, pageSize: PAGE_SIZE });
		for (const line of page.entries)
			yield [
				new Date(line.at).toISOString(),
				line.kind,
				line.id,
				line.keyLabel,
				...FIGURES.map((name) => line[name]),
			];
		before = page.older;
	} while (before !== null);
}
