import { testAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface RevokeKeyRequest {
	readonly keyId: string;
}

/** Revokes a key, live or for tests, from its next request on. */
export async function revokeKey(
	services: ManageServices,
	account: AccountRef,
	request: RevokeKeyRequest,
): Promise<void> {
	const { accountId } = account;
	const { keyId } = request;
	await requireAccount(services, account);
	await audit(services, 'key.revoke', accountId, { keyId });
	const now = services.clock.now();
	const found =
		(await services.accounts(accountId).revokeKey({ keyId, now })) ||
		(await services.accounts(testAccountOf(accountId)).revokeKey({ keyId, now }));
	if (!found) throw new ServiceError('key_not_found', 'This account has no such key');
}
