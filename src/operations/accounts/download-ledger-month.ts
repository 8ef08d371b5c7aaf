import type { AccountPort } from './object-port.ts';
import { csvLine } from '../../core/csv/write.ts';
import { assert } from '../../lib/assert.ts';
import { streamOf } from '../../lib/streams.ts';
import type { IdentityServices } from '../people/port.ts';
import type { LedgerFiles, LedgerMonth } from './ledger-files-port.ts';
import type { AccountRef } from './port.ts';
import { listLedger } from './list-ledger.ts';
import { LEDGER_HEAD, STORED_COLUMNS, namesOf } from './steps/ledger-csv.ts';

const KEY_COLUMN = STORED_COLUMNS.indexOf('key');
const KIND_COLUMN = STORED_COLUMNS.indexOf('what');
const ID_COLUMN = STORED_COLUMNS.indexOf('id');

/**
 * A month of the ledger as CSV, oldest line first, streamed: what of it stands in files. Null: nothing does. Keys
 * have the labels of today, and lists their names.
 */
export async function downloadLedgerMonth(
	services: Pick<IdentityServices, 'accounts'> & { readonly ledgerFiles: Pick<LedgerFiles, 'read'> },
	account: AccountRef,
	request: { readonly month: string },
): Promise<ReadableStream<Uint8Array> | null> {
	const { months } = await listLedger(services, account, { before: null, pageSize: 1 });
	const month = months.find((each) => each.month === request.month);
	if (month === undefined) return null;
	const store = services.accounts(account.accountId);
	const { keys } = await store.show();
	const labels = new Map(keys.map(({ id, label }) => [id, asCell(label)]));
	return streamOf(piecesOf(services.ledgerFiles, account.accountId, month, { store, labels }));
}

async function* piecesOf(
	files: Pick<LedgerFiles, 'read'>,
	accountId: string,
	{ month, pieces }: LedgerMonth,
	{
		store,
		labels,
	}: { readonly store: Pick<AccountPort, 'show' | 'jobNames'>; readonly labels: ReadonlyMap<string, string> },
): AsyncGenerator<string, void, undefined> {
	yield csvLine(LEDGER_HEAD);
	for (let piece = 0; piece < pieces; piece += 1) {
		const csv = await files.read(accountId, month, piece);
		assert(csv !== null, `piece ${piece} of ${month} was stored`);
		const lines = csv.split('\r\n').filter((line) => line !== '');
		const read = lines.map(readLine);
		const names = await namesOf(
			store,
			read.filter((line) => line !== null),
		);
		for (const [index, line] of lines.entries()) yield written(line, read[index] ?? null, labels, names);
	}
}

interface ReadLine {
	readonly cells: readonly string[];
	readonly kind: string;
	readonly id: string;
}

/** Our own lines have no commas within their cells; any other is left as it is (null). */
function readLine(line: string): ReadLine | null {
	const cells = line.split(',');
	if (cells.length !== STORED_COLUMNS.length) return null;
	return { cells, kind: cells[KIND_COLUMN] ?? '', id: cells[ID_COLUMN] ?? '' };
}

/** The line with its key's label, and the name of its list. */
function written(
	line: string,
	read: ReadLine | null,
	labels: ReadonlyMap<string, string>,
	names: ReadonlyMap<string, string>,
): string {
	if (read === null) return `${line},\r\n`;
	const key = read.cells[KEY_COLUMN] ?? '';
	const cells = read.cells.with(KEY_COLUMN, labels.get(key) ?? key);
	const name = names.get(read.id);
	return `${[...cells, name === undefined ? '' : asCell(name)].join(',')}\r\n`;
}

/** A text as a cell of CSV that no spreadsheet runs. */
function asCell(text: string): string {
	return csvLine([text]).trimEnd();
}
