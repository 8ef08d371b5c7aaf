import type { IdentityServices, SignedIn } from '../people/port.ts';

/** Ends a key of who is signed in; the next call with it is a 401. False: the account has no such key. */
export async function revokeOwnKey(
	{ accounts, clock }: Pick<IdentityServices, 'accounts' | 'clock'>,
	{ user }: SignedIn,
	keyId: string,
): Promise<boolean> {
	return accounts(user.accountId).revokeKey({ keyId, now: clock.now() });
}
