import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { ACTIVITIES_MAX, ACTIVITY_DAYS } from '../../core/identity/activity.ts';
import type { Activities, Activity } from '../../operations/people/port.ts';
import { activities } from '../schema.ts';
import { DAY_MS } from '../../lib/time.ts';

/** The activity of accounts in D1. */
export class D1Activities implements Activities {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async record(accountId: string, activity: Activity): Promise<void> {
		const oldest = sql`(SELECT id FROM ${activities} WHERE account_id = ${accountId}
			ORDER BY id DESC LIMIT 1 OFFSET ${ACTIVITIES_MAX})`;
		await this.#db.batch([
			this.#db.insert(activities).values({ accountId, ...activity }),
			this.#db.delete(activities).where(and(eq(activities.accountId, accountId), lte(activities.id, oldest))),
		]);
	}

	async list(accountId: string, most: number): Promise<readonly Activity[]> {
		const { at, kind, device, about, by } = activities;
		return this.#db
			.select({ at, kind, device, about, by })
			.from(activities)
			.where(eq(activities.accountId, accountId))
			.orderBy(desc(activities.id))
			.limit(most);
	}

	async sweep(now: number): Promise<void> {
		await this.#db.delete(activities).where(lte(activities.at, now - ACTIVITY_DAYS * DAY_MS));
	}
}
