import { asc, eq } from 'drizzle-orm';
import { hasDomainOrParent } from '../core/lists/domain-kinds.ts';
import type { Clock } from '../lib/time.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import { InD1 } from './in-d1.ts';
import { refusedDomains } from './schema.ts';

/** A domain whose owner asked us not to ask its mail servers. */
type OptOut = typeof refusedDomains.$inferSelect;

// An opt-out holds everywhere within this time; each reload costs one query.
const RELOAD_AFTER_MS = 60_000;
// A database that failed is asked again soon.
const RETRY_AFTER_MS = 30_000;

/** The domains that are not asked: in D1, and in the memory of the isolate. A change made here holds here at once. */
export class OptOuts extends InD1 {
	readonly #clock: Clock;
	#domains: ReadonlySet<string> | null = null;
	#dueAt = -Infinity;
	/** How many changes were made here, and how many when the list was read that is in memory. */
	#changes = 0;
	#known = 0;

	constructor(database: D1Database, clock: Clock) {
		super(database);
		this.#clock = clock;
	}

	/**
	 * Whether the owner of the domain, or of the mail host, asked us not to ask: an owner speaks for all names below, and for
	 * none beside. Throws `ServiceError` when the list can't be read.
	 */
	async covers(name: string): Promise<boolean> {
		const now = this.#clock.now();
		if (this.#domains === null || this.#changes !== this.#known || now >= this.#dueAt)
			await this.#reload(now);
		// Without any list no mail host is asked, since its owner may have opted out.
		if (this.#domains === null)
			throw new ServiceError('upstream_unavailable', 'The list of opt-outs cannot be read');
		return hasDomainOrParent(this.#domains, name);
	}

	/** While the database fails, the last list holds. */
	async #reload(now: number): Promise<void> {
		// Set first, so that one request reads the list while the others use the last one.
		this.#dueAt = now + RELOAD_AFTER_MS;
		const changes = this.#changes;
		try {
			this.#domains = new Set((await this.list()).map(({ domain }) => domain));
		} catch (error) {
			this.#dueAt = now + RETRY_AFTER_MS;
			log('opt_outs_not_read', describeError(error), 'warn');
		}
		this.#known = changes;
	}

	/** In alphabetical order. */
	async list(): Promise<readonly OptOut[]> {
		return this.db.select().from(refusedDomains).orderBy(asc(refusedDomains.domain));
	}

	/** A repetition keeps the first time. */
	async add(optOut: OptOut): Promise<void> {
		await this.db.insert(refusedDomains).values(optOut).onConflictDoNothing();
		this.#changes += 1;
	}

	async remove(domain: string): Promise<void> {
		await this.db.delete(refusedDomains).where(eq(refusedDomains.domain, domain));
		this.#changes += 1;
	}
}
