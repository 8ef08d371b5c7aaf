import { and, desc, eq, gt, lte, ne } from 'drizzle-orm';
import { SESSION_MS } from '../../core/identity/tokens.ts';
import type { SignedIn } from '../../operations/people/port.ts';
import { InD1 } from '../in-d1.ts';
import { accounts, sessions, users } from '../schema.ts';
import type { Session } from '../schema.ts';

/** Sessions in D1. */
export class D1Sessions extends InD1 {
	async find(tokenHash: string): Promise<SignedIn | null> {
		const [found] = await this.db
			.select({ session: sessions, user: users, suspendedAt: accounts.suspendedAt })
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.innerJoin(accounts, eq(accounts.id, users.accountId))
			.where(eq(sessions.tokenHash, tokenHash))
			.limit(1);
		return found ?? null;
	}

	async touch(tokenHash: string, now: number): Promise<void> {
		await this.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash));
	}

	async remove(tokenHash: string): Promise<void> {
		await this.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
	}

	/** The sessions of a person that have not ended, last used first. */
	async list(userId: string, now: number): Promise<readonly Session[]> {
		return this.db
			.select()
			.from(sessions)
			.where(and(eq(sessions.userId, userId), gt(sessions.createdAt, now - SESSION_MS)))
			.orderBy(desc(sessions.lastSeenAt));
	}

	/** Ends one of a person's sessions. */
	async revoke(userId: string, sessionId: string): Promise<void> {
		await this.db.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)));
	}

	/** Ends all of a person's sessions except one. */
	async revokeOthers(userId: string, tokenHash: string): Promise<void> {
		await this.db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash)));
	}

	/** Deletes sessions that have ended. */
	async sweep(now: number): Promise<void> {
		await this.db.delete(sessions).where(lte(sessions.createdAt, now - SESSION_MS));
	}
}
