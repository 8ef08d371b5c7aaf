import type { Accounts } from '../object-port.ts';
import { testAccountOf } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { AccountRef } from '../port.ts';

/** Revokes a key of the account, live or for tests. */
export async function revokeAnyKey(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	{ accountId }: AccountRef,
	keyId: string,
): Promise<'revoked' | 'revoked_before' | 'no_such_key'> {
	const now = services.clock.now();
	for (const id of [accountId, testAccountOf(accountId)]) {
		const store = services.accounts(id);
		if (!(await store.revokeKey({ keyId, now }))) continue;
		const keys = await store.keys();
		// The first revocation's time stays.
		return keys.find((key) => key.id === keyId)?.revokedAt === now ? 'revoked' : 'revoked_before';
	}
	return 'no_such_key';
}
