import type { AccountRef } from '../accounts/port.ts';
import type { PaymentServices, Purchase } from './port.ts';

const SHOWN_MAX = 50;

/** What the account has paid for, newest first. */
export async function listPurchases(
	services: Pick<PaymentServices, 'purchases'>,
	account: AccountRef,
): Promise<readonly Purchase[]> {
	return services.purchases.listOf(account.accountId, SHOWN_MAX);
}
