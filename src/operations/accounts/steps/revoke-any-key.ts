import { testAccountOf } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { AccountRef, Accounts } from '../port.ts';

/** Revokes a key of the account, live or for tests. False: it has no such key. */
export async function revokeAnyKey(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	{ accountId }: AccountRef,
	keyId: string,
): Promise<boolean> {
	const now = services.clock.now();
	return (
		(await services.accounts(accountId).revokeKey({ keyId, now })) ||
		(await services.accounts(testAccountOf(accountId)).revokeKey({ keyId, now }))
	);
}
