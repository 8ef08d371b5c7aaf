import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { testAccountOf } from '../core/keys/api-key.ts';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { LinkPurpose } from '../core/identity/one-time-link.ts';
import { assert } from '../lib/assert.ts';
import type { OneTimeLink, People, Session, User } from '../operations/people/port.ts';
import { accounts, developmentMails, jobs, oneTimeLinks, sessions, users } from './schema.ts';

// An expired link is kept for a while, so that an investigation can tell a late click from a wrong link.
const LINK_KEPT_MS = 24 * 3_600_000;

/** People and their links in D1. Related writes are one batch, which D1 runs as a transaction. */
export class D1People implements People {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async findByLoginName(loginName: string): Promise<User | null> {
		const [user] = await this.#db.select().from(users).where(eq(users.loginName, loginName)).limit(1);
		return user ?? null;
	}

	async insert(user: User): Promise<User> {
		await this.#db.insert(users).values(user).onConflictDoNothing();
		const there = await this.findByLoginName(user.loginName);
		assert(there !== null, 'whoever has the address is there');
		return there;
	}

	async freeAccountOf(emails: readonly string[]): Promise<string | null> {
		const [account] = await this.#db
			.select({ id: accounts.id })
			.from(accounts)
			.leftJoin(users, eq(users.accountId, accounts.id))
			.where(
				and(inArray(sql`lower(${accounts.email})`, [...emails]), isNull(accounts.closedAt), isNull(users.id)),
			)
			.orderBy(asc(accounts.createdAt), asc(accounts.id))
			.limit(1);
		return account?.id ?? null;
	}

	async rename(userId: string, name: string): Promise<void> {
		await this.#db.update(users).set({ name }).where(eq(users.id, userId));
	}

	async replacePassword(userId: string, passwordHash: string, session: Session): Promise<void> {
		await this.#db.batch([
			this.#db.update(users).set({ passwordHash }).where(eq(users.id, userId)),
			this.#db.delete(sessions).where(eq(sessions.userId, userId)),
			this.#db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)),
			this.#db.insert(sessions).values(session),
		]);
	}

	async resetPassword(change: {
		tokenHash: string;
		passwordHash: string;
		now: number;
	}): Promise<User | null> {
		const { tokenHash, passwordHash, now } = change;
		// Each statement checks again that the link is valid; the last one ends it.
		const owner = this.#db
			.select({ userId: oneTimeLinks.userId })
			.from(oneTimeLinks)
			.where(
				and(
					eq(oneTimeLinks.tokenHash, tokenHash),
					eq(oneTimeLinks.purpose, 'reset_password'),
					isNull(oneTimeLinks.usedAt),
					gt(oneTimeLinks.expiresAt, now),
				),
			);
		const [changed] = await this.#db.batch([
			this.#db.update(users).set({ passwordHash }).where(inArray(users.id, owner)).returning(),
			this.#db.delete(sessions).where(inArray(sessions.userId, owner)),
			this.#db
				.update(oneTimeLinks)
				.set({ usedAt: now })
				.where(and(inArray(oneTimeLinks.userId, owner), isNull(oneTimeLinks.usedAt))),
		]);
		return changed[0] ?? null;
	}

	async remove(user: User, now: number): Promise<void> {
		const { id, accountId, email, loginName } = user;
		await this.#db.batch([
			this.#db.update(accounts).set({ email: '', closedAt: now }).where(eq(accounts.id, accountId)),
			this.#db.delete(jobs).where(inArray(jobs.accountId, [accountId, testAccountOf(accountId)])),
			this.#db.delete(sessions).where(eq(sessions.userId, id)),
			this.#db.delete(oneTimeLinks).where(eq(oneTimeLinks.loginName, loginName)),
			this.#db.delete(developmentMails).where(eq(developmentMails.recipient, email)),
			this.#db.delete(users).where(eq(users.id, id)),
		]);
	}

	async insertLink(link: OneTimeLink): Promise<boolean> {
		const inserted = await this.#db.insert(oneTimeLinks).values(link).onConflictDoNothing().returning();
		return inserted.length === 1;
	}

	async findLink(tokenHash: string, purpose: LinkPurpose): Promise<OneTimeLink | null> {
		const [link] = await this.#db
			.select()
			.from(oneTimeLinks)
			.where(and(eq(oneTimeLinks.tokenHash, tokenHash), eq(oneTimeLinks.purpose, purpose)))
			.limit(1);
		return link ?? null;
	}

	async useLink(tokenHash: string, now: number): Promise<boolean> {
		const used = await this.#db
			.update(oneTimeLinks)
			.set({ usedAt: now })
			.where(and(eq(oneTimeLinks.tokenHash, tokenHash), isNull(oneTimeLinks.usedAt)))
			.returning({ tokenHash: oneTimeLinks.tokenHash });
		return used.length === 1;
	}

	async sweepLinks(now: number): Promise<void> {
		await this.#db.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now - LINK_KEPT_MS));
	}
}
