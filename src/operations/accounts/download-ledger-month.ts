import { csvLine } from '../../core/csv/write.ts';
import { assert } from '../../lib/assert.ts';
import { streamOf } from '../../lib/streams.ts';
import type { IdentityServices } from '../people/port.ts';
import type { LedgerFiles, LedgerMonth } from './ledger-files-port.ts';
import type { AccountRef } from './port.ts';
import { listLedger } from './list-ledger.ts';
import { LEDGER_HEAD } from './steps/ledger-csv.ts';

const KEY_COLUMN = LEDGER_HEAD.indexOf('key');

/**
 * A month of the ledger as CSV, oldest line first, streamed: what of it stands in files. Null: nothing does. The keys
 * have the labels of today.
 */
export async function downloadLedgerMonth(
	services: Pick<IdentityServices, 'accounts'> & { readonly ledgerFiles: Pick<LedgerFiles, 'read'> },
	account: AccountRef,
	request: { readonly month: string },
): Promise<ReadableStream<Uint8Array> | null> {
	const { months } = await listLedger(services, account, { before: null, pageSize: 1 });
	const month = months.find((each) => each.month === request.month);
	if (month === undefined) return null;
	const { keys } = await services.accounts(account.accountId).show();
	const labels = new Map(keys.map(({ id, label }) => [id, csvLine([label]).trimEnd()]));
	return streamOf(piecesOf(services.ledgerFiles, account.accountId, month, labels));
}

async function* piecesOf(
	files: Pick<LedgerFiles, 'read'>,
	accountId: string,
	{ month, pieces }: LedgerMonth,
	labels: ReadonlyMap<string, string>,
): AsyncGenerator<string, void, undefined> {
	yield csvLine(LEDGER_HEAD);
	for (let piece = 0; piece < pieces; piece += 1) {
		const csv = await files.read(accountId, month, piece);
		assert(csv !== null, `piece ${piece} of ${month} was stored`);
		yield csv
			.split('\r\n')
			.map((line) => withLabel(line, labels))
			.join('\r\n');
	}
}

/** The line with its key's label. Our own lines have no commas within their cells; any other is left as it is. */
function withLabel(line: string, labels: ReadonlyMap<string, string>): string {
	const cells = line.split(',');
	const label = labels.get(cells[KEY_COLUMN] ?? '');
	return cells.length === LEDGER_HEAD.length && label !== undefined
		? cells.with(KEY_COLUMN, label).join(',')
		: line;
}
