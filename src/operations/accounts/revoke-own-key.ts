import type { IdentityServices, SignedIn } from '../people/port.ts';
import { revokeAnyKey } from './steps/revoke-any-key.ts';

export interface RevokeOwnKeyRequest {
	readonly keyId: string;
}

/** Revokes a key for the person who is signed in; its next call is a 401. False: the account has no such key. */
export async function revokeOwnKey(
	services: Pick<IdentityServices, 'accounts' | 'clock'>,
	person: SignedIn,
	request: RevokeOwnKeyRequest,
): Promise<boolean> {
	return revokeAnyKey(services, person.user, request.keyId);
}
