import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { JobRecord } from '../operations/jobs/port.ts';
import type {
	AccountRecord,
	AuditEntry,
	Directory,
	ListedAccount,
} from '../operations/accounts/directory-port.ts';
import { accounts, auditLog, jobs, users } from './schema.ts';

/** The directory on D1. */
export class D1Directory implements Directory {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async insertAccount(record: AccountRecord): Promise<void> {
		await this.#db.insert(accounts).values(record).onConflictDoNothing();
	}

	async findAccount(id: string): Promise<AccountRecord | null> {
		const { id: accountId, email, createdAt } = accounts;
		const [record] = await this.#db
			.select({ id: accountId, email, createdAt })
			.from(accounts)
			.where(eq(accounts.id, id))
			.limit(1);
		return record ?? null;
	}

	async findAccountsOf(emails: readonly string[]): Promise<readonly ListedAccount[]> {
		const { id, email, createdAt, suspendedAt } = accounts;
		return this.#db
			.select({ id, email, createdAt, suspendedAt, userId: users.id })
			.from(accounts)
			.leftJoin(users, eq(users.accountId, accounts.id))
			.where(and(inArray(sql`lower(${email})`, [...emails]), isNull(accounts.closedAt)))
			.orderBy(asc(createdAt), asc(id));
	}

	async setSuspended(accountId: string, at: number | null): Promise<void> {
		await this.#db.update(accounts).set({ suspendedAt: at }).where(eq(accounts.id, accountId));
	}

	async listJob(accountId: string, job: JobRecord): Promise<void> {
		const { jobId, name, status, accepted, createdAt, completedAt } = job;
		const changing = { status, completedAt };
		const closed = this.#db
			.select({ id: accounts.id })
			.from(accounts)
			.where(and(eq(accounts.id, accountId), isNotNull(accounts.closedAt)));
		await this.#db
			.insert(jobs)
			// In the table's order. A consumer that is still at work must not bring back what a deletion removed.
			.select(
				sql`SELECT ${jobId}, ${accountId}, ${name}, ${status}, ${accepted}, ${createdAt}, ${completedAt}
					WHERE NOT EXISTS ${closed}`,
			)
			// A late message must not bring back an earlier state.
			.onConflictDoUpdate({ target: jobs.id, set: changing, setWhere: eq(jobs.status, 'processing') });
	}

	async findJobAccount(jobId: string): Promise<string | null> {
		const [job] = await this.#db
			.select({ accountId: jobs.accountId })
			.from(jobs)
			.where(eq(jobs.id, jobId))
			.limit(1);
		return job?.accountId ?? null;
	}

	async processingJobs(
		createdBefore: number,
		most: number,
	): Promise<readonly { jobId: string; accountId: string }[]> {
		return this.#db
			.select({ jobId: jobs.id, accountId: jobs.accountId })
			.from(jobs)
			.where(and(eq(jobs.status, 'processing'), lt(jobs.createdAt, createdBefore)))
			.orderBy(asc(jobs.createdAt))
			.limit(most);
	}

	async audit({ detail, ...entry }: AuditEntry): Promise<void> {
		await this.#db.insert(auditLog).values({ ...entry, detail: JSON.stringify(detail) });
	}

	async ping(): Promise<void> {
		// Fails while the migrations are missing, too.
		await this.#db
			.select({ one: sql`1` })
			.from(accounts)
			.limit(1);
	}
}
