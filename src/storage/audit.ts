import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { blobPrefixOf } from '../core/jobs/retention.ts';
import type { AuditedBucket, AuditedListing, ListedRow, ListedStanding } from '../operations/audit/port.ts';
import { KEYS_MAX, objectPages, KeptPlace } from './bucket-pages.ts';
import { UPLOADS_ROOT } from './uploads.ts';
import type { PurchaseFacts } from '../core/audit/facts.ts';
import { accounts, jobs, purchases, users } from './schema.ts';
import { R2AccountRegister } from './accounts/register.ts';
import { R2KeptJobs } from './jobs/kept-jobs.ts';

const PLACE_KEY = 'sweeps/audit';
const FIRST_NAMES = 5;

/** The bucket's contents, for audits. */
export class R2AuditedBucket implements AuditedBucket {
	readonly #bucket: R2Bucket;
	readonly #place: KeptPlace;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
		this.#place = new KeptPlace(bucket, PLACE_KEY);
	}

	async namesOf(jobId: string): Promise<readonly string[]> {
		return this.#namesUnder(blobPrefixOf(jobId));
	}

	async firstNamesOf(jobId: string): Promise<readonly string[]> {
		const prefix = blobPrefixOf(jobId);
		const { objects } = await this.#bucket.list({ prefix, limit: FIRST_NAMES });
		return objects.map(({ key }) => key.slice(prefix.length));
	}

	async oldUploads(before: number, after: string | null): ReturnType<AuditedBucket['oldUploads']> {
		const page = await this.#bucket.list({
			prefix: UPLOADS_ROOT,
			limit: KEYS_MAX,
			...(after === null ? {} : { startAfter: after }),
		});
		const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before);
		const accountIds = old.map(({ key }) => key.slice(UPLOADS_ROOT.length).split('/')[0] ?? '');
		return { accountIds, next: page.truncated ? (page.objects.at(-1)?.key ?? null) : null };
	}

	async readPlace(): Promise<string | null> {
		return this.#place.read();
	}

	async keepPlace(place: string | null): Promise<void> {
		await this.#place.keep(place);
	}

	async #namesUnder(prefix: string): Promise<string[]> {
		const names: string[] = [];
		for await (const page of objectPages(this.#bucket, prefix))
			names.push(...page.map(({ key }) => key.slice(prefix.length)));
		return names;
	}
}

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

/** The listing of accounts and jobs in D1, for audits. */
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

/** The stores of audits and sweeps: the bucket and the database as a whole. */
export function auditedStores({ BLOBS, DB }: { readonly BLOBS: R2Bucket; readonly DB: D1Database }) {
	return {
		accountRegister: new R2AccountRegister(BLOBS),
		keptJobs: new R2KeptJobs(BLOBS),
		auditedBucket: new R2AuditedBucket(BLOBS),
		auditedListing: new D1AuditedListing(DB),
	};
}
