import type { ExpiringMap } from '../lib/expiring-map.ts';
import type { FactCache, Clock } from '../engine/ports.ts';

interface Entry {
	readonly value: unknown;
	/** Epoch ms. */
	readonly expiresAt: number;
}

export type FactMemory = ExpiringMap<Entry>;

/** The part of the platform's Cache API that we use. */
export type PlatformCache = Pick<Cache, 'match' | 'put'>;

// A name that can't be registered (RFC 6761 §6.4), so no entry is a page of a real site.
const ORIGIN = 'https://facts.mailsonar.invalid/';
// An isolate lives for hours; after this time the data centre's cache may know better.
const MEMORY_MS_MAX = 3_600_000;

/** Caches facts in the isolate's memory, then in the Cache API of the data centre. Entries expire by themselves. */
export class PlatformFactCache implements FactCache {
	readonly #open: () => Promise<PlatformCache>;
	readonly #memory: FactMemory;
	readonly #clock: Clock;

	constructor(open: () => Promise<PlatformCache>, memory: FactMemory, clock: Clock) {
		this.#open = open;
		this.#memory = memory;
		this.#clock = clock;
	}

	async get(key: string): Promise<unknown> {
		const now = this.#clock.now();
		const known = this.#memory.get(key, now);
		if (known !== undefined) return known.value;
		try {
			const stored = await (await this.#open()).match(urlOf(key));
			const entry: Entry | undefined = await stored?.json();
			if (entry === undefined || !(entry.expiresAt > now)) return undefined;
			this.#remember(key, entry, now);
			return entry.value;
		} catch {
			return undefined;
		}
	}

	async put(key: string, value: unknown, ttlSeconds: number): Promise<void> {
		if (!(ttlSeconds > 0)) return;
		const now = this.#clock.now();
		const entry = { value, expiresAt: now + ttlSeconds * 1000 };
		this.#remember(key, entry, now);
		try {
			const headers = {
				'content-type': 'application/json',
				'cache-control': `max-age=${Math.ceil(ttlSeconds)}`,
			};
			await (await this.#open()).put(urlOf(key), new Response(JSON.stringify(entry), { headers }));
		} catch {
			// An entry that can't be stored is looked up again next time.
		}
	}

	#remember(key: string, entry: Entry, now: number): void {
		this.#memory.set(key, entry, Math.min(entry.expiresAt, now + MEMORY_MS_MAX));
	}
}

function urlOf(key: string): string {
	return `${ORIGIN}${encodeURIComponent(key)}`;
}
