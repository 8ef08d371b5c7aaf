import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { coveringOptOut } from '../core/lists/opt-outs.ts';
import type { Clock, OptOuts } from '../engine/ports.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { OptOut, OptOutStore } from '../operations/opt-outs/port.ts';
import { refusedDomains } from './schema.ts';

// An opt-out is everywhere within this time; each look costs one query.
const LOOK_AGAIN_AFTER_MS = 60_000;

/** The domains that are not asked, in D1. */
export class D1OptOuts implements OptOutStore {
	readonly #db: DrizzleD1Database;

	constructor(database: D1Database) {
		this.#db = drizzle(database);
	}

	async list(): Promise<readonly OptOut[]> {
		return this.#db.select().from(refusedDomains).orderBy(asc(refusedDomains.domain));
	}

	async add(optOut: OptOut): Promise<void> {
		await this.#db.insert(refusedDomains).values(optOut).onConflictDoNothing();
	}

	async remove(domain: string): Promise<void> {
		await this.#db.delete(refusedDomains).where(eq(refusedDomains.domain, domain));
	}
}

/** The list of opt-outs, which the isolate keeps for looking names up in it. A change made here holds here at once. */
export class RememberedOptOuts implements OptOuts, OptOutStore {
	readonly #store: OptOutStore;
	readonly #clock: Clock;
	#domains: ReadonlySet<string> | null = null;
	#lookedAt = -Infinity;

	constructor(store: OptOutStore, clock: Clock) {
		this.#store = store;
		this.#clock = clock;
	}

	async covers(name: string): Promise<boolean> {
		return coveringOptOut(name, await this.#current()) !== null;
	}

	list(): Promise<readonly OptOut[]> {
		return this.#store.list();
	}

	async add(optOut: OptOut): Promise<void> {
		await this.#store.add(optOut);
		this.#lookedAt = -Infinity;
	}

	async remove(domain: string): Promise<void> {
		await this.#store.remove(domain);
		this.#lookedAt = -Infinity;
	}

	async #current(): Promise<ReadonlySet<string>> {
		const now = this.#clock.now();
		if (this.#domains !== null && now - this.#lookedAt < LOOK_AGAIN_AFTER_MS) return this.#domains;
		// Set first, so that one request loads the list while the others use the current one.
		this.#lookedAt = now;
		try {
			const listed = await this.#store.list();
			this.#domains = new Set(listed.map(({ domain }) => domain));
			return this.#domains;
		} catch (error) {
			log('opt_outs_not_read', describeError(error), 'warn');
			// With no list at all nobody is asked: a domain that wants its peace can't be told from the others.
			if (this.#domains === null)
				throw new ServiceError('upstream_unavailable', 'The list of opt-outs cannot be read', {
					cause: error,
				});
			return this.#domains;
		}
	}
}
