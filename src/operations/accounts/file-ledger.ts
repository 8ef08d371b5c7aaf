import { csvLine } from '../../core/csv/write.ts';
import type { LedgerFiles, LedgerPiece } from './ledger-files-port.ts';
import type { AccountRef } from './port.ts';
import { ledgerRow } from './steps/ledger-csv.ts';

/** Stores a piece of an account's ledger as CSV. The same piece is stored again as it was. */
export async function fileLedger(
	services: { readonly ledgerFiles: Pick<LedgerFiles, 'put'> },
	account: AccountRef,
	request: LedgerPiece,
): Promise<void> {
	const { month, piece, entries } = request;
	const csv = entries.map((line) => csvLine(ledgerRow(line, line.keyId))).join('');
	await services.ledgerFiles.put(account.accountId, month, piece, csv);
}
