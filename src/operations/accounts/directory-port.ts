import type { ListedJob } from '../jobs/port.ts';

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

/** The listing of accounts, and the operators' audit trail. */
export interface Directory {
	insertAccount(record: AccountRecord): Promise<void>;
	/** Lists an account, or corrects its entry, which keeps its first time. */
	attachAccount(account: AttachedAccount): Promise<void>;
	findAccount(id: string): Promise<(AccountRecord & { readonly closedAt: number | null }) | null>;
	/** Open accounts of any of the addresses, oldest first. Ignores letter case. */
	findAccountsOf(emails: readonly string[]): Promise<readonly ListedAccount[]>;
	/** Lists an account as suspended since `at`, or as not suspended. */
	setSuspended(accountId: string, at: number | null): Promise<void>;
	audit(entry: AuditEntry): Promise<void>;
	/** The newest entries before one (null: of all), of one account or of all of them. */
	readTrail(request: {
		accountId: string | null;
		before: number | null;
		most: number;
	}): Promise<readonly (AuditEntry & { readonly id: number })[]>;
	/** Lists a job, or updates its entry. */
	listJob(accountId: string, job: ListedJob): Promise<void>;
	/** The same for several, at least one. */
	listJobs(accountId: string, jobs: readonly ListedJob[]): Promise<void>;
	/** The account that a job belongs to; null: no such job is listed. */
	findJobAccount(jobId: string): Promise<string | null>;
	/** Throws when the database can't be used. */
	ping(): Promise<void>;
}
