import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { PurchaseFacts } from '../core/audit/facts.ts';
import type { AuditedListing, ListedRow, ListedStanding } from '../operations/audit/port.ts';
import { accounts, jobs, purchases, users } from './schema.ts';

const STANDING = { id: accounts.id, suspendedAt: accounts.suspendedAt, closedAt: accounts.closedAt };
const ROW = { jobId: jobs.id, accountId: jobs.accountId, status: jobs.status, createdAt: jobs.createdAt };
const PURCHASE = {
	id: purchases.id,
	accountId: purchases.accountId,
	credits: purchases.credits,
	state: purchases.state,
	createdAt: purchases.createdAt,
	sessionId: purchases.sessionId,
};
// D1 takes a hundred values in a statement.
const VALUES_MAX = 100;

/** What D1 lists of accounts and jobs, for audits. */
export class D1AuditedListing implements AuditedListing {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async findStanding(accountId: string): Promise<ListedStanding | null> {
		const [found] = await this.#db.select(STANDING).from(accounts).where(eq(accounts.id, accountId)).limit(1);
		return found ?? null;
	}

	async nextAccount(after: string | null): Promise<string | null> {
		const [found] = await this.#db
			.select({ id: accounts.id })
			.from(accounts)
			.where(gt(accounts.id, after ?? ''))
			.orderBy(asc(accounts.id))
			.limit(1);
		return found?.id ?? null;
	}

	async jobsListed(jobIds: readonly string[]): Promise<readonly ListedRow[]> {
		return inPieces(jobIds, (some) => this.#db.select(ROW).from(jobs).where(inArray(jobs.id, some)));
	}

	async jobsOf(accountId: string, after: string | null, most: number): Promise<readonly ListedRow[]> {
		return this.#db
			.select(ROW)
			.from(jobs)
			.where(and(eq(jobs.accountId, accountId), gt(jobs.id, after ?? '')))
			.orderBy(asc(jobs.id))
			.limit(most);
	}

	async jobsAfter(after: string | null, most: number): Promise<readonly ListedRow[]> {
		return this.#db
			.select(ROW)
			.from(jobs)
			.where(gt(jobs.id, after ?? ''))
			.orderBy(asc(jobs.id))
			.limit(most);
	}

	async accountsListed(accountIds: readonly string[]): Promise<readonly string[]> {
		const found = await inPieces(accountIds, (some) =>
			this.#db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.id, some)),
		);
		return found.map(({ id }) => id);
	}

	async accountsOfNobody(most: number): Promise<readonly string[]> {
		const found = await this.#db
			.select({ id: users.accountId })
			.from(users)
			.leftJoin(accounts, eq(accounts.id, users.accountId))
			.where(isNull(accounts.id))
			.orderBy(asc(users.accountId))
			.limit(most);
		return found.map(({ id }) => id);
	}

	async purchasesNamed(ids: readonly string[]): Promise<readonly PurchaseFacts[]> {
		return inPieces(ids, (some) =>
			this.#db.select(PURCHASE).from(purchases).where(inArray(purchases.id, some)),
		);
	}

	async purchasesOf(
		accountId: string,
		after: string | null,
		most: number,
	): Promise<readonly PurchaseFacts[]> {
		return this.#db
			.select(PURCHASE)
			.from(purchases)
			.where(and(eq(purchases.accountId, accountId), gt(purchases.id, after ?? '')))
			.orderBy(asc(purchases.id))
			.limit(most);
	}

	async purchasesOfNobody(most: number): Promise<readonly PurchaseFacts[]> {
		return this.#db
			.select(PURCHASE)
			.from(purchases)
			.leftJoin(accounts, eq(accounts.id, purchases.accountId))
			.where(isNull(accounts.id))
			.orderBy(asc(purchases.id))
			.limit(most);
	}
}

async function inPieces<T>(
	values: readonly string[],
	query: (some: string[]) => PromiseLike<readonly T[]>,
): Promise<readonly T[]> {
	const found: T[] = [];
	for (let from = 0; from < values.length; from += VALUES_MAX)
		found.push(...(await query(values.slice(from, from + VALUES_MAX))));
	return found;
}
