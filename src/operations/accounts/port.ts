import type { Account } from '../../durable-objects/account/account.ts';

/** Identifies the account. */
export interface AccountRef {
	readonly accountId: string;
}

/** An admitted account, and the id under which its usage is counted: a key's, or `OWNERS_KEY_ID`. */
export interface Admitted extends AccountRef {
	readonly keyId: string;
}

/**
 * The calls of an account's object: its serialised state, in which every call may be repeated with the same ids and then
 * changes nothing. Operations know the class by its type alone.
 */
export type AccountPort = Omit<
	Account,
	'alarm' | 'outside' | 'rowsRead' | 'rowsWritten' | keyof Rpc.DurableObjectBranded
>;

/** All accounts by their id, of whose calls an operation makes only some. */
export type AccountsFor<Call extends keyof AccountPort> = (accountId: string) => Pick<AccountPort, Call>;

/** All accounts, by their id. */
export type Accounts = (accountId: string, location?: DurableObjectLocationHint) => AccountPort;
