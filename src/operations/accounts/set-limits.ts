import type { Limits } from '../../core/rate-limit/policy.ts';
import type { AccountRef } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import { openTestAccount } from './steps/open-test-account.ts';

export interface SetLimitsRequest {
	/** The limits to change. */
	readonly limits: Partial<Limits>;
}

/** Changes an account's rate limits, and those of its test keys. */
export async function setLimits(
	services: ManageServices,
	account: AccountRef,
	request: SetLimitsRequest,
): Promise<Limits> {
	const { accountId } = account;
	const { limits } = request;
	await requireAccount(services, account);
	await audit(services, 'limits.set', accountId, limits);
	const changed = await services.accounts(accountId).setLimits(limits);
	await openTestAccount(services, account);
	return changed;
}
