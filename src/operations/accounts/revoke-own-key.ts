import { testAccountOf } from '../../core/keys/api-key.ts';
import type { IdentityServices, SignedIn } from '../people/port.ts';

export interface RevokeOwnKeyRequest {
	readonly keyId: string;
}

/** Revokes a key for the person who is signed in; its next call is a 401. False: the account has no such key. */
export async function revokeOwnKey(
	services: Pick<IdentityServices, 'accounts' | 'clock'>,
	person: SignedIn,
	request: RevokeOwnKeyRequest,
): Promise<boolean> {
	const { keyId } = request;
	const { accountId } = person.user;
	const now = services.clock.now();
	return (
		(await services.accounts(accountId).revokeKey({ keyId, now })) ||
		(await services.accounts(testAccountOf(accountId)).revokeKey({ keyId, now }))
	);
}
