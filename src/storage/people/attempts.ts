import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Throttle } from '../../core/identity/throttles.ts';
import { InD1 } from '../in-d1.ts';
import { throttles } from '../schema.ts';

/** Counts attempts in D1, by one statement, so that two at once do not take the same place. */
export class D1Attempts extends InD1 {
	/** Counts an attempt if the limit allows it; a refused one is not written. */
	async count(
		key: string,
		{ limit, windowMs }: Throttle,
		now: number,
	): Promise<{ admitted: boolean; endsAt: number }> {
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
		const [full] = await this.db.select().from(throttles).where(eq(throttles.key, key)).limit(1);
		return { admitted: false, endsAt: full?.endsAt ?? now + windowMs };
	}

	/** The current window of a key; null: there is none. */
	async look(key: string, now: number): Promise<{ count: number; endsAt: number } | null> {
		const [running] = await this.db
			.select({ count: throttles.count, endsAt: throttles.endsAt })
			.from(throttles)
			.where(and(eq(throttles.key, key), gt(throttles.endsAt, now)))
			.limit(1);
		return running ?? null;
	}

	/** Deletes the attempts of a key. */
	async forget(key: string): Promise<void> {
		await this.db.delete(throttles).where(eq(throttles.key, key));
	}

	async sweep(now: number): Promise<void> {
		await this.db.delete(throttles).where(lte(throttles.endsAt, now));
	}
}
