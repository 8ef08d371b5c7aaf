import { and, desc, eq, lte, ne, or } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../../core/identity/tokens.ts';
import type { Session, Sessions, SignedIn } from '../../operations/people/port.ts';
import { accounts, sessions, users } from '../schema.ts';

/** Sessions in D1. */
export class D1Sessions implements Sessions {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async insert(session: Session): Promise<void> {
		const { id, userId } = session;
		await this.#db.batch([
			this.#db.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.userId, userId))),
			this.#db.insert(sessions).values(session),
		]);
	}

	async find(tokenHash: string): Promise<SignedIn | null> {
		const [found] = await this.#db
			.select({ session: sessions, user: users, suspendedAt: accounts.suspendedAt })
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.innerJoin(accounts, eq(accounts.id, users.accountId))
			.where(eq(sessions.tokenHash, tokenHash))
			.limit(1);
		return found ?? null;
	}

	async touch(tokenHash: string, now: number): Promise<void> {
		await this.#db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash));
	}

	async remove(tokenHash: string): Promise<void> {
		await this.#db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
	}

	async list(userId: string): Promise<readonly Session[]> {
		return this.#db
			.select()
			.from(sessions)
			.where(eq(sessions.userId, userId))
			.orderBy(desc(sessions.lastSeenAt));
	}

	async revoke(userId: string, sessionId: string): Promise<boolean> {
		const ended = await this.#db
			.delete(sessions)
			.where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
			.returning({ id: sessions.id });
		return ended.length > 0;
	}

	async revokeOthers(userId: string, tokenHash: string): Promise<boolean> {
		const ended = await this.#db
			.delete(sessions)
			.where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash)))
			.returning({ id: sessions.id });
		return ended.length > 0;
	}

	async sweep(now: number): Promise<void> {
		await this.#db
			.delete(sessions)
			.where(
				or(
					lte(sessions.lastSeenAt, now - SESSION_IDLE_MS),
					lte(sessions.createdAt, now - SESSION_ABSOLUTE_MS),
				),
			);
	}
}
