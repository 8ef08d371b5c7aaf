import type { AccountRef, LedgerFilter, LedgerPage, LedgerPlace } from './port.ts';
import type { IdentityServices } from '../people/port.ts';

export interface ListLedgerRequest {
	/** The page begins with the newest line before this place; null: with the newest of all. */
	readonly before: LedgerPlace | null;
	readonly pageSize: number;
	/** Left out: all lines. */
	readonly filter?: LedgerFilter;
}

/** A page of the account's ledger, newest first. */
export async function listLedger(
	services: Pick<IdentityServices, 'accounts'>,
	account: AccountRef,
	request: ListLedgerRequest,
): Promise<LedgerPage> {
	return services.accounts(account.accountId).listLedger(request);
}
