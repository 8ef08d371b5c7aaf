import type { ExpiringMap } from '../lib/expiring-map.ts';
import type { FactCache } from '../engine/domain/port.ts';
import type { Clock } from '../engine/ports.ts';

interface Entry {
	readonly value: unknown;
	/** Epoch ms. */
	readonly expiresAt: number;
}

export type FactMemory = ExpiringMap<Entry>;

/** What is used of the platform's cache. */
export type PlatformCache = Pick<Cache, 'match' | 'put'>;

// A name that nobody can own (RFC 6761 §6.4): entries are no pages of anybody.
const ORIGIN = 'https://facts.mailsonar.invalid/';
// An isolate lives for hours; what is older may be known better elsewhere.
const MEMORY_MS_MAX = 3_600_000;

/** Facts in the isolate's memory first, then in the Cache API of the data centre. Both forget by themselves. */
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
			// A cache that can't keep something has only to be asked again.
		}
	}

	#remember(key: string, entry: Entry, now: number): void {
		this.#memory.set(key, entry, Math.min(entry.expiresAt, now + MEMORY_MS_MAX));
	}
}

function urlOf(key: string): string {
	return `${ORIGIN}${encodeURIComponent(key)}`;
}
