import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Throttle } from '../core/identity/throttles.ts';
import { CODE_TRIES, SESSION_MS } from '../core/identity/tokens.ts';
import { testAccountOf } from '../core/keys/api-key.ts';
import type { Clock } from '../lib/time.ts';
import { assert } from '../lib/assert.ts';
import type { Mail, Mailer, SignedIn } from '../operations/people/port.ts';
import { InD1 } from './in-d1.ts';
import { accounts, codes, developmentMails, jobs, sessions, throttles, users } from './schema.ts';
import type { Code, DevelopmentMail, Session, User } from './schema.ts';

/** People and the codes in their mails, in D1. Related writes are one batch, which D1 runs as a transaction. */
export class D1People extends InD1 {
	async findByLoginName(loginName: string): Promise<User | null> {
		return (await this.db.select().from(users).where(eq(users.loginName, loginName)).get()) ?? null;
	}

	async findByAccount(accountId: string): Promise<User | null> {
		return (await this.db.select().from(users).where(eq(users.accountId, accountId)).get()) ?? null;
	}

	/** Adds a person, and returns the one who has the address afterwards, who may be another one. */
	async insert(user: User): Promise<User> {
		await this.db.insert(users).values(user).onConflictDoNothing();
		const there = await this.findByLoginName(user.loginName);
		assert(there !== null, 'the person with the address is there');
		return there;
	}

	/** The oldest open account that an operator made for one of the addresses and that no person owns yet. */
	async freeAccountOf(emails: readonly string[]): Promise<string | null> {
		const [account] = await this.db
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
		await this.db.update(users).set({ name }).where(eq(users.id, userId));
	}

	/**
	 * Replaces the address by a valid code, and ends the person's codes and all sessions but the one given; null: the code
	 * is no longer valid, or another person has the address.
	 */
	async changeAddress(change: { codeId: string; session: string; now: number }): Promise<User | null> {
		const { codeId, session, now } = change;
		const code = await this.findCode(codeId, now);
		if (code === null) return null;
		const { userId, email, loginName } = code;
		const other = alias(users, 'other');
		const taken = this.db
			.select({ id: other.id })
			.from(other)
			.where(and(eq(other.loginName, loginName), ne(other.id, userId)));
		const valid = this.db
			.select({ userId: codes.userId })
			.from(codes)
			.where(and(eq(codes.id, codeId), isNull(codes.usedAt), gt(codes.expiresAt, now)));
		const changed = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND email = ${email})`;
		const account = this.db
			.select({ id: users.accountId })
			.from(users)
			.where(and(eq(users.id, userId), eq(users.email, email)));
		// One transaction, whose later statements see what the first has done.
		const [found] = await this.db.batch([
			this.db
				.update(users)
				.set({ email, loginName })
				.where(and(inArray(users.id, valid), notExists(taken)))
				.returning(),
			this.db.update(accounts).set({ email }).where(inArray(accounts.id, account)),
			this.db
				.delete(sessions)
				.where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, session), changed)),
			this.db
				.update(codes)
				.set({ usedAt: now })
				.where(and(eq(codes.userId, userId), isNull(codes.usedAt), changed)),
		]);
		return found[0] ?? null;
	}

	/** Deletes the person and every copy of the address; the account stays, closed and without an address. */
	async remove(user: User, now: number): Promise<void> {
		const { id, accountId, email, loginName } = user;
		await this.db.batch([
			this.db.update(accounts).set({ email: '', closedAt: now }).where(eq(accounts.id, accountId)),
			this.db.delete(jobs).where(inArray(jobs.accountId, [accountId, testAccountOf(accountId)])),
			this.db.delete(sessions).where(eq(sessions.userId, id)),
			this.db.delete(codes).where(or(eq(codes.loginName, loginName), eq(codes.userId, id))),
			this.db.delete(developmentMails).where(eq(developmentMails.to, email)),
			this.db.delete(users).where(eq(users.id, id)),
		]);
	}

	/** False: the same form was sent before. */
	async insertCode(code: Code): Promise<boolean> {
		const inserted = await this.db.insert(codes).values(code).onConflictDoNothing().returning();
		return inserted.length === 1;
	}

	/** A code that has not expired, for whichever purpose, used or not. */
	async findCode(id: string, now: number): Promise<Code | null> {
		const isKept = and(eq(codes.id, id), gt(codes.expiresAt, now));
		return (await this.db.select().from(codes).where(isKept).get()) ?? null;
	}

	/** Counts a try. False: it had its tries, or has expired. */
	async tryCode(id: string, now: number): Promise<boolean> {
		const tried = await this.db
			.update(codes)
			.set({ tries: sql`${codes.tries} + 1` })
			.where(and(eq(codes.id, id), lt(codes.tries, CODE_TRIES), gt(codes.expiresAt, now)))
			.returning({ id: codes.id });
		return tried.length === 1;
	}

	/** Uses a code and begins a session by it, both or neither. A code that was used before begins none. */
	async useCode(id: string, session: Session, now: number): Promise<void> {
		const { tokenHash, userId, device, createdAt, lastSeenAt } = session;
		const row = sql`${tokenHash}, ${session.id}, ${userId}, ${device}, ${createdAt}, ${lastSeenAt}`;
		const isUnused = and(eq(codes.id, id), isNull(codes.usedAt));
		await this.db.batch([
			this.db.insert(sessions).select(sql`SELECT ${row} FROM ${codes} WHERE ${isUnused}`),
			this.db.update(codes).set({ usedAt: now }).where(isUnused),
		]);
	}

	/** Takes a code back whose mail was not sent. */
	async removeCode(id: string): Promise<void> {
		await this.db.delete(codes).where(eq(codes.id, id));
	}

	/** Deletes codes that have expired, with their addresses. */
	async sweepCodes(now: number): Promise<void> {
		await this.db.delete(codes).where(lte(codes.expiresAt, now));
	}
}

/** Sessions in D1. */
export class D1Sessions extends InD1 {
	async find(tokenHash: string): Promise<SignedIn | null> {
		const found = await this.db
			.select({ session: sessions, user: users, suspendedAt: accounts.suspendedAt })
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.innerJoin(accounts, eq(accounts.id, users.accountId))
			.where(eq(sessions.tokenHash, tokenHash))
			.get();
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

/** Counts attempts in D1, by one statement, so that two at once do not take the same place. */
export class D1Attempts extends InD1 {
	/** Counts an attempt if the limit allows it; a refused one is not written. */
	async count(key: string, { limit, windowMs }: Throttle, now: number) {
		const isOver = sql`${throttles.endsAt} <= ${now}`;
		const [counted] = await this.db
			.insert(throttles)
			.values({ key, count: 1, endsAt: now + windowMs })
			.onConflictDoUpdate({
				target: throttles.key,
				set: {
					count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${throttles.count} + 1 END`,
					endsAt: sql`CASE WHEN ${isOver} THEN ${now + windowMs} ELSE ${throttles.endsAt} END`,
				},
				// A refused attempt writes nothing: a flood of them must not cost a row each.
				setWhere: sql`${isOver} OR ${throttles.count} < ${limit}`,
			})
			.returning();
		if (counted !== undefined) return { admitted: true, endsAt: counted.endsAt };
		const full = await this.db.select().from(throttles).where(eq(throttles.key, key)).get();
		return { admitted: false, endsAt: full?.endsAt ?? now + windowMs };
	}

	/** The current window of a key; null: there is none. */
	async look(key: string, now: number): Promise<{ count: number; endsAt: number } | null> {
		const isRunning = and(eq(throttles.key, key), gt(throttles.endsAt, now));
		return (await this.db.select().from(throttles).where(isRunning).get()) ?? null;
	}

	/** Deletes the attempts of a key. */
	async forget(key: string): Promise<void> {
		await this.db.delete(throttles).where(eq(throttles.key, key));
	}

	async sweep(now: number): Promise<void> {
		await this.db.delete(throttles).where(lte(throttles.endsAt, now));
	}
}

const SHOWN_MAX = 50;

/** Keeps mails instead of sending them, on a developer's machine. */
export class D1DevelopmentMailbox extends InD1 implements Mailer {
	readonly #clock: Clock;

	constructor(database: D1Database, clock: Clock) {
		super(database);
		this.#clock = clock;
	}

	requireReady(): void {
		// The table is always ready.
	}

	async send({ to, subject, text }: Mail): Promise<void> {
		await this.db.insert(developmentMails).values({ at: this.#clock.now(), to, subject, text });
	}

	async list(): Promise<readonly DevelopmentMail[]> {
		return this.db.select().from(developmentMails).orderBy(desc(developmentMails.id)).limit(SHOWN_MAX);
	}
}
