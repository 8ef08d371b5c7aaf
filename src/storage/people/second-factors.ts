import { and, count, eq, lt, ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { assert } from '../../lib/assert.ts';
import type { NewFactor, SecondFactor, SecondFactors } from '../../operations/people/port.ts';
import { recoveryCodes, secondFactors, sessions } from '../schema.ts';

/** Second factors in D1. A code is taken by one statement, so that two requests at once can't both use it. */
export class D1SecondFactors implements SecondFactors {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async find(userId: string): Promise<SecondFactor | null> {
		const { version, salt, since, lastStep } = secondFactors;
		const [factor] = await this.#db
			.select({ version, salt, since, lastStep })
			.from(secondFactors)
			.where(eq(secondFactors.userId, userId))
			.limit(1);
		return factor ?? null;
	}

	async countCodes(userId: string): Promise<number> {
		const [counted] = await this.#db
			.select({ left: count() })
			.from(recoveryCodes)
			.where(eq(recoveryCodes.userId, userId));
		return counted?.left ?? 0;
	}

	async turnOn({ userId, factor, recoveryCodes: digests, tokenHash }: NewFactor): Promise<SecondFactor> {
		const isOn = sql`EXISTS (SELECT 1 FROM ${secondFactors} WHERE user_id = ${userId} AND salt = ${factor.salt})`;
		await this.#db.batch([
			this.#db
				.insert(secondFactors)
				.values({ userId, ...factor })
				.onConflictDoNothing(),
			this.#db
				.insert(recoveryCodes)
				.select(sql`SELECT ${userId}, value FROM json_each(${JSON.stringify(digests)}) WHERE ${isOn}`)
				.onConflictDoNothing(),
			this.#db
				.delete(sessions)
				.where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash), isOn)),
		]);
		const there = await this.find(userId);
		assert(there !== null, 'a factor that was turned on is there');
		return there;
	}

	async turnOff(userId: string): Promise<void> {
		await this.#db.batch([
			this.#db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
			this.#db.delete(secondFactors).where(eq(secondFactors.userId, userId)),
		]);
	}

	async useStep(userId: string, step: number): Promise<boolean> {
		const used = await this.#db
			.update(secondFactors)
			.set({ lastStep: step })
			.where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
			.returning({ userId: secondFactors.userId });
		return used.length === 1;
	}

	async useRecoveryCode(userId: string, digest: string): Promise<boolean> {
		const used = await this.#db
			.delete(recoveryCodes)
			.where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.digest, digest)))
			.returning({ userId: recoveryCodes.userId });
		return used.length === 1;
	}

	async hasCode(userId: string, digest: string): Promise<boolean> {
		const found = await this.#db
			.select({ digest: recoveryCodes.digest })
			.from(recoveryCodes)
			.where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.digest, digest)))
			.limit(1);
		return found.length === 1;
	}

	async replaceCodes(userId: string, digests: readonly string[]): Promise<void> {
		await this.#db.batch([
			this.#db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
			this.#db.insert(recoveryCodes).values(digests.map((digest) => ({ userId, digest }))),
		]);
	}
}
