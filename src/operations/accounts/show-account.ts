import type { AccountRef, AccountView } from './port.ts';
import { requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

/** Everything that an operator sees of an account. */
export async function showAccount(
	services: ManageServices,
	account: AccountRef,
): Promise<AccountView & { email: string | null; createdAt: number }> {
	const { email, createdAt } = await requireAccount(services, account);
	return { email, createdAt, ...(await services.accounts(account.accountId).show()) };
}
