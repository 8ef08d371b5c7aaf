import type { PurchaseFacts } from '../../core/audit/facts.ts';

/** An account as D1 lists it. Times are epoch milliseconds. */
export interface ListedStanding {
	readonly id: string;
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
}

/** A job as D1 lists it. */
export interface ListedRow {
	readonly jobId: string;
	readonly accountId: string;
	readonly status: string;
	readonly createdAt: number;
}

/** The listing in D1, closed accounts included. */
export interface AuditedListing {
	findStanding(accountId: string): Promise<ListedStanding | null>;
	/** The id of the next account after one, in the order of ids; null: there is none. */
	nextAccount(after: string | null): Promise<string | null>;
	jobsListed(jobIds: readonly string[]): Promise<readonly ListedRow[]>;
	/** The next jobs of an account after an id. */
	jobsOf(accountId: string, after: string | null, most: number): Promise<readonly ListedRow[]>;
	/** The next of all jobs after an id. */
	jobsAfter(after: string | null, most: number): Promise<readonly ListedRow[]>;
	/** Returns the accounts that are listed. */
	accountsListed(accountIds: readonly string[]): Promise<readonly string[]>;
	/** The accounts that people have and that are not listed; so many at the most. */
	accountsOfNobody(most: number): Promise<readonly string[]>;
	/** Returns the purchases that exist, of any account. */
	purchasesNamed(ids: readonly string[]): Promise<readonly PurchaseFacts[]>;
	/** The next purchases of an account after an id. */
	purchasesOf(accountId: string, after: string | null, most: number): Promise<readonly PurchaseFacts[]>;
	/** Purchases of accounts that are not listed; so many at the most. */
	purchasesOfNobody(most: number): Promise<readonly PurchaseFacts[]>;
}

/** The bucket's contents. */
export interface AuditedBucket {
	/** The names of a job's blobs, without their prefix. */
	namesOf(jobId: string): Promise<readonly string[]>;
	/** Whether a job has any blob: the first names. */
	firstNamesOf(jobId: string): Promise<readonly string[]>;
	/** The accounts of uploads stored before a time, among the next after a place. */
	oldUploads(
		before: number,
		after: string | null,
	): Promise<{ readonly accountIds: readonly string[]; readonly next: string | null }>;
	/** Where the last run stopped, as it was kept; null: at the end. */
	readPlace(): Promise<string | null>;
	keepPlace(place: string | null): Promise<void>;
}
