export interface AccountRecord {
	readonly id: string;
	readonly email: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

/** An account that is listed again, with what its object and its operator know of it. */
export interface AttachedAccount extends AccountRecord {
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
}

/** A listed account, for operators. */
export interface ListedAccount extends AccountRecord {
	readonly suspendedAt: number | null;
	/** The person who owns it; null for one that an operator made and no person has taken over. */
	readonly userId: string | null;
}

/** An operator's action. Entries are kept for ever. */
export interface AuditEntry {
	readonly at: number;
	/** The operator's name; `owner`: the account's owner. */
	readonly by: string;
	readonly action: string;
	readonly accountId: string | null;
	/** Figures and ids; neither secrets nor addresses. */
	readonly detail: Readonly<Record<string, string | number>>;
}
