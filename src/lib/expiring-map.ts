/**
 * A bounded map whose entries expire: the isolate's short-term memory. When it is full, it drops the entry unused for
 * longest.
 */
export class ExpiringMap<V> {
	readonly #entries = new Map<string, { readonly value: V; readonly expiresAt: number }>();
	readonly #entriesMax: number;

	constructor(entriesMax: number) {
		this.#entriesMax = entriesMax;
	}

	/** The value, unless it is unknown or expired at `now` (epoch ms). */
	get(key: string, now: number): V | undefined {
		const entry = this.#entries.get(key);
		if (entry === undefined) return undefined;
		this.#entries.delete(key);
		if (now >= entry.expiresAt) return undefined;
		this.#entries.set(key, entry); // Last used goes last.
		return entry.value;
	}

	/** All entries that have not expired. */
	*entries(now: number): Generator<readonly [key: string, value: V]> {
		for (const [key, { value, expiresAt }] of this.#entries) if (now < expiresAt) yield [key, value];
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}

	/** Stores the value, and returns the key of the entry that it dropped for it, or null. */
	set(key: string, value: V, expiresAt: number): string | null {
		this.#entries.delete(key);
		this.#entries.set(key, { value, expiresAt });
		if (this.#entries.size <= this.#entriesMax) return null;
		const [oldest = key] = this.#entries.keys();
		this.#entries.delete(oldest);
		return oldest;
	}
}
