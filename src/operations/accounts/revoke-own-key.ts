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
	return services.accounts(person.user.accountId).revokeKey({ keyId, now: services.clock.now() });
}
