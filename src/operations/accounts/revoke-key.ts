import { ServiceError } from '../../errors.ts';
import type { AccountRef } from './port.ts';
import { note } from '../people/steps/note.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import { revokeAnyKey } from './steps/revoke-any-key.ts';

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
	const outcome = await revokeAnyKey(services, account, keyId);
	if (outcome === 'revoked') note(services, accountId, { kind: 'key_revoked', about: keyId, by: 'operator' });
	if (outcome === 'no_such_key') throw new ServiceError('key_not_found', 'This account has no such key');
}
