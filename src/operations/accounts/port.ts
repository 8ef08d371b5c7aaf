/** Identifies the account. */
export interface AccountRef {
	readonly accountId: string;
}

/** An admitted account, and the id under which its usage is counted: a key's, or `OWNERS_KEY_ID`. */
export interface Admitted extends AccountRef {
	readonly keyId: string;
}
