import { and, asc, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { liveAccountOf } from '../../core/keys/api-key.ts';
import type { ListedJob } from '../../operations/jobs/port.ts';
import { InD1 } from '../in-d1.ts';
import { accounts, auditLog, jobs, users } from '../schema.ts';
import type { AccountRow, AuditEntry, ListedAccount } from '../schema.ts';

/** The listing of accounts, and the operators' audit trail, in D1. */
export class D1Directory extends InD1 {
	async insertAccount(record: Omit<AccountRow, 'suspendedAt' | 'closedAt'>): Promise<void> {
		await this.db.insert(accounts).values(record).onConflictDoNothing();
	}

	/** Lists an account, or corrects its entry, which keeps its first time. */
	async attachAccount({ createdAt, ...account }: AccountRow): Promise<void> {
		await this.db
			.insert(accounts)
			.values({ createdAt, ...account })
			.onConflictDoUpdate({ target: accounts.id, set: account });
	}

	async findAccount(id: string): Promise<AccountRow | null> {
		return (await this.db.select().from(accounts).where(eq(accounts.id, id)).get()) ?? null;
	}

	/** Open accounts of any of the addresses, oldest first. Ignores letter case. */
	async findAccountsOf(emails: readonly string[]): Promise<readonly ListedAccount[]> {
		const { id, email, createdAt, suspendedAt } = accounts;
		return this.db
			.select({ id, email, createdAt, suspendedAt, userId: users.id })
			.from(accounts)
			.leftJoin(users, eq(users.accountId, accounts.id))
			.where(and(inArray(sql`lower(${email})`, [...emails]), isNull(accounts.closedAt)))
			.orderBy(asc(createdAt), asc(id));
	}

	/** Lists an account as suspended since `at`, or as not suspended. */
	async setSuspended(accountId: string, at: number | null): Promise<void> {
		await this.db.update(accounts).set({ suspendedAt: at }).where(eq(accounts.id, accountId));
	}

	/** Lists a job of an account that is not closed: an alarm must not bring back what its owner deleted. A repetition changes nothing. */
	async listJob(accountId: string, { jobId, createdAt }: ListedJob): Promise<void> {
		await this.db.run(sql`INSERT INTO jobs (id, account_id, created_at)
			SELECT ${jobId}, ${accountId}, ${createdAt}
			WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = ${liveAccountOf(accountId)} AND closed_at IS NOT NULL)
			ON CONFLICT (id) DO NOTHING`);
	}

	/** The account that a job belongs to; null: no such job is listed. */
	async findJobAccount(jobId: string): Promise<string | null> {
		const job = await this.db.select().from(jobs).where(eq(jobs.id, jobId)).get();
		return job?.accountId ?? null;
	}

	async audit({ detail, ...entry }: AuditEntry): Promise<void> {
		await this.db.insert(auditLog).values({ ...entry, detail: JSON.stringify(detail) });
	}

	/** The newest entries before one (null: of all), of one account or of all of them. */
	async readTrail(request: {
		readonly accountId: string | null;
		readonly before: number | null;
		readonly most: number;
	}): Promise<readonly (AuditEntry & { readonly id: number })[]> {
		const { accountId, before, most } = request;
		const found = await this.db
			.select()
			.from(auditLog)
			.where(
				and(
					accountId === null ? undefined : eq(auditLog.accountId, accountId),
					before === null ? undefined : lt(auditLog.id, before),
				),
			)
			.orderBy(desc(auditLog.id))
			.limit(most);
		return found.map(({ detail, ...entry }) => ({
			...entry,
			detail: JSON.parse(detail) as AuditEntry['detail'],
		}));
	}

	/** Throws when the database can't be used. */
	async ping(): Promise<void> {
		// Also fails while migrations are missing.
		await this.db
			.select({ one: sql`1` })
			.from(accounts)
			.limit(1);
	}
}
