import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';

/** A store in D1. */
export class InD1 {
	protected readonly db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.db = drizzle(database);
	}
}
