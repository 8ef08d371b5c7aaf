import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { coveringOptOut } from '../core/lists/opt-outs.ts';
import type { OptOut } from '../core/lists/opt-outs.ts';
import type { Clock, OptOuts } from '../engine/ports.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import { refusedDomains } from './schema.ts';

// An opt-out holds everywhere within this time; each reload costs one query.
const RELOAD_AFTER_MS = 60_000;
// A database that failed is asked again soon, so that an outage of a moment does not decide for hours.
const RETRY_AFTER_MS = 30_000;

/**
 * The domains that are not asked, in D1, and the list that the isolate keeps for looking names up in it. A change made
 * here holds here at once. While the database is out, the last list holds.
 */
export class D1OptOuts implements OptOuts {
	readonly #db: DrizzleD1Database;
	readonly #clock: Clock;
	#domains: ReadonlySet<string> | null = null;
	#dueAt = -Infinity;
	/** How many changes were made here, and how many of them the list has. */
	#changes = 0;
	#known = 0;

	constructor(database: D1Database, clock: Clock) {
		this.#db = drizzle(database);
		this.#clock = clock;
	}

	async covers(name: string): Promise<boolean> {
		const domains = await this.#current();
		// Without any list no mail host is asked, since its owner may have opted out.
		if (domains === null)
			throw new ServiceError('upstream_unavailable', 'The list of opt-outs cannot be read');
		return coveringOptOut(name, domains) !== null;
	}

	/** In alphabetical order. */
	async list(): Promise<readonly OptOut[]> {
		return this.#db.select().from(refusedDomains).orderBy(asc(refusedDomains.domain));
	}

	/** A repetition keeps the first time. */
	async add(optOut: OptOut): Promise<void> {
		await this.#db.insert(refusedDomains).values(optOut).onConflictDoNothing();
		this.#changes += 1;
	}

	async remove(domain: string): Promise<void> {
		await this.#db.delete(refusedDomains).where(eq(refusedDomains.domain, domain));
		this.#changes += 1;
	}

	/** Null: the list could never be read. */
	async #current(): Promise<ReadonlySet<string> | null> {
		const now = this.#clock.now();
		const changes = this.#changes;
		if (this.#domains !== null && changes === this.#known && now < this.#dueAt) return this.#domains;
		// Set first, so that one request reads while the others use the last list.
		this.#dueAt = now + RELOAD_AFTER_MS;
		try {
			this.#domains = new Set((await this.list()).map(({ domain }) => domain));
		} catch (error) {
			this.#dueAt = now + RETRY_AFTER_MS;
			log('opt_outs_not_read', describeError(error), 'warn');
		}
		this.#known = changes;
		return this.#domains;
	}
}
