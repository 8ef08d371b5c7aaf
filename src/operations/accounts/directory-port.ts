import type { JobRecord } from '../jobs/port.ts';

export interface AccountRecord {
	readonly id: string;
	readonly email: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

/** An account as operators find it. */
export interface ListedAccount extends AccountRecord {
	readonly suspendedAt: number | null;
	/** The person who owns it; null for one that an operator made and nobody took over. */
	readonly userId: string | null;
}

/** What is listed of a job: neither its name nor its figures. */
export type ListedJob = Pick<JobRecord, 'jobId' | 'status' | 'createdAt'>;

/** What operators did, kept for good. */
export interface AuditEntry {
	readonly at: number;
	readonly action: string;
	readonly accountId: string | null;
	/** Figures and ids; no secrets, no addresses. */
	readonly detail: Readonly<Record<string, string | number>>;
}

/** The listing of accounts, and the operators' audit trail. */
export interface Directory {
	insertAccount(record: AccountRecord): Promise<void>;
	findAccount(id: string): Promise<AccountRecord | null>;
	/** Open accounts of any of the addresses, oldest first; letter case tells nothing apart. */
	findAccountsOf(emails: readonly string[]): Promise<readonly ListedAccount[]>;
	/** Lists an account as suspended since `at`, or as not suspended. */
	setSuspended(accountId: string, at: number | null): Promise<void>;
	audit(entry: AuditEntry): Promise<void>;
	/** Lists a job, or brings its entry up to date. */
	listJob(accountId: string, job: ListedJob): Promise<void>;
	/** The account that a job belongs to; null: no such job is listed. */
	findJobAccount(jobId: string): Promise<string | null>;
	/** Jobs that were processing when they were listed last, made before `createdBefore`, the oldest first. */
	processingJobs(
		createdBefore: number,
		most: number,
	): Promise<readonly { readonly jobId: string; readonly accountId: string }[]>;
	/** Throws when the database can't be used. */
	ping(): Promise<void>;
}
