import type { Limits } from '../../core/rate-limit/policy.ts';
import type { AccountRef } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface SetLimitsRequest {
	/** The limits to change. */
	readonly limits: Partial<Limits>;
}

/** Changes an account's rate limits. */
export async function setLimits(
	services: ManageServices,
	account: AccountRef,
	request: SetLimitsRequest,
): Promise<Limits> {
	const { accountId } = account;
	const { limits } = request;
	await requireAccount(services, account);
	await audit(services, 'limits.set', accountId, limits);
	return services.accounts(accountId).setLimits(limits);
}
