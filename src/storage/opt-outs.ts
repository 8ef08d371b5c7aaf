import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { coveringOptOut } from '../core/lists/opt-outs.ts';
import type { Clock } from '../engine/ports.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { OptOut, OptOutStore } from '../core/lists/opt-outs.ts';
import { Reloaded } from './reloaded.ts';
import { refusedDomains } from './schema.ts';

// An opt-out holds everywhere within this time; each reload costs one query.
const RELOAD_AFTER_MS = 60_000;

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
export class RememberedOptOuts implements OptOutStore {
	readonly #store: OptOutStore;
	readonly #domains: Reloaded<ReadonlySet<string>>;

	constructor(store: OptOutStore, clock: Clock) {
		this.#store = store;
		const load = async () => new Set((await store.list()).map(({ domain }) => domain));
		this.#domains = new Reloaded(load, clock, RELOAD_AFTER_MS, (error) =>
			log('opt_outs_not_read', describeError(error), 'warn'),
		);
	}

	async covers(name: string): Promise<boolean> {
		const domains = await this.#domains.current();
		// Without any list no mail host is asked, since its owner may have opted out.
		if (domains === null)
			throw new ServiceError('upstream_unavailable', 'The list of opt-outs cannot be read');
		return coveringOptOut(name, domains) !== null;
	}

	list(): Promise<readonly OptOut[]> {
		return this.#store.list();
	}

	async add(optOut: OptOut): Promise<void> {
		await this.#store.add(optOut);
		this.#domains.expire();
	}

	async remove(domain: string): Promise<void> {
		await this.#store.remove(domain);
		this.#domains.expire();
	}
}
