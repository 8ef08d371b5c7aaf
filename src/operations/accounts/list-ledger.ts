import type { AccountRef, LedgerPage } from './port.ts';
import type { IdentityServices } from '../people/port.ts';

export interface ListLedgerRequest {
	/** From 1. */
	readonly page: number;
	readonly pageSize: number;
}

/** A page of the account's ledger, newest first. */
export async function listLedger(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
	request: ListLedgerRequest,
): Promise<LedgerPage> {
	return services.accounts(account.accountId).listLedger(request);
}
