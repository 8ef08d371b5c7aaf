import type { Accounts } from './object-port.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { KeyMode } from '../../core/keys/api-key.ts';
import type { AccountRef, KeyView } from './port.ts';

/** A key as its owner sees it. `accountId`: the account that it opens, which is another one for a test key. */
export interface OwnKey extends KeyView, AccountRef {
	readonly mode: KeyMode;
}

/** All keys of an account, live and for tests. Valid ones first; the newest first. */
export async function listKeys(
	services: { readonly accounts: Accounts },
	account: AccountRef,
): Promise<readonly OwnKey[]> {
	const owned = async (accountId: string, mode: KeyMode): Promise<readonly OwnKey[]> =>
		(await services.accounts(accountId).keys()).map((key) => ({ ...key, accountId, mode }));
	const { accountId } = account;
	const keys = await Promise.all([owned(accountId, 'live'), owned(testAccountOf(accountId), 'test')]);
	return keys.flat().toSorted((a, b) => Number(a.revoked) - Number(b.revoked) || b.createdAt - a.createdAt);
}
