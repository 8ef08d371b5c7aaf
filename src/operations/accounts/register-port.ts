/** The accounts that were ever opened, in the bucket: a database that is lost or taken back does not lose them. */
export interface AccountRegister {
	/** Enters an account. Entering it again changes nothing. Throws `ServiceError` `upstream_unavailable`. */
	enter(accountId: string): Promise<void>;
	/** Since when the account is entered, epoch milliseconds; null: it is not. */
	enteredAt(accountId: string): Promise<number | null>;
	/** The id of the next account after one, in the order of ids; null: there is none. */
	nextAccount(after: string | null): Promise<string | null>;
}
