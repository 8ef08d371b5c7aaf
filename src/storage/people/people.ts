import { and, asc, eq, gt, inArray, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { LinkPurpose } from '../../core/identity/tokens.ts';
import { assert } from '../../lib/assert.ts';
import type { OneTimeLink, People, Session, User } from '../../operations/people/port.ts';
import {
	accounts,
	activities,
	developmentMails,
	jobs,
	oneTimeLinks,
	recoveryCodes,
	secondFactors,
	sessions,
	users,
} from '../schema.ts';

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

	async find(userId: string): Promise<User | null> {
		const [user] = await this.#db.select().from(users).where(eq(users.id, userId)).limit(1);
		return user ?? null;
	}

	async findByAccount(accountId: string): Promise<User | null> {
		const [user] = await this.#db.select().from(users).where(eq(users.accountId, accountId)).limit(1);
		return user ?? null;
	}

	async insert(user: User): Promise<User> {
		await this.#db.insert(users).values(user).onConflictDoNothing();
		const there = await this.findByLoginName(user.loginName);
		assert(there !== null, 'the person with the address is there');
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

	async changeAddress(change: { tokenHash: string; session: string; now: number }): Promise<User | null> {
		const { tokenHash, session, now } = change;
		const link = await this.findLink(tokenHash, 'change_address');
		if (link === null) return null;
		const { userId, email, loginName } = link;
		const other = alias(users, 'other');
		const taken = this.#db
			.select({ id: other.id })
			.from(other)
			.where(and(eq(other.loginName, loginName), ne(other.id, userId)));
		const valid = this.#db
			.select({ userId: oneTimeLinks.userId })
			.from(oneTimeLinks)
			.where(
				and(
					eq(oneTimeLinks.tokenHash, tokenHash),
					isNull(oneTimeLinks.usedAt),
					gt(oneTimeLinks.expiresAt, now),
				),
			);
		const changed = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND email = ${email})`;
		const account = this.#db
			.select({ id: users.accountId })
			.from(users)
			.where(and(eq(users.id, userId), eq(users.email, email)));
		// One transaction, whose later statements see what the first has done.
		const [found] = await this.#db.batch([
			this.#db
				.update(users)
				.set({ email, loginName })
				.where(and(inArray(users.id, valid), notExists(taken)))
				.returning(),
			this.#db.update(accounts).set({ email }).where(inArray(accounts.id, account)),
			this.#db
				.delete(sessions)
				.where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, session), changed)),
			this.#db
				.update(oneTimeLinks)
				.set({ usedAt: now })
				.where(and(eq(oneTimeLinks.userId, userId), isNull(oneTimeLinks.usedAt), changed)),
		]);
		return found[0] ?? null;
	}

	async remove(user: User, now: number): Promise<void> {
		const { id, accountId, email, loginName } = user;
		await this.#db.batch([
			this.#db.update(accounts).set({ email: '', closedAt: now }).where(eq(accounts.id, accountId)),
			this.#db.delete(jobs).where(inArray(jobs.accountId, [accountId, testAccountOf(accountId)])),
			this.#db.delete(sessions).where(eq(sessions.userId, id)),
			this.#db
				.delete(oneTimeLinks)
				.where(or(eq(oneTimeLinks.loginName, loginName), eq(oneTimeLinks.userId, id))),
			this.#db.delete(secondFactors).where(eq(secondFactors.userId, id)),
			this.#db.delete(recoveryCodes).where(eq(recoveryCodes.userId, id)),
			this.#db.delete(activities).where(eq(activities.accountId, accountId)),
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
