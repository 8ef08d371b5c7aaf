import type { LedgerPage } from './port.ts';
import type { IdentityServices } from '../people/port.ts';

/** A page of the account's ledger, newest first. `page` counts from 1. */
export async function listLedger(
	{ accounts }: Pick<IdentityServices, 'accounts'>,
	accountId: string,
	{ page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<LedgerPage> {
	return accounts(accountId).listLedger({ page, pageSize });
}
