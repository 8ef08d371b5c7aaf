import { within } from './time.ts';
import type { Clock } from './time.ts';

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

/**
 * Caches the answer of `ask` for `freshMs`. Callers that ask while it is pending wait for the same answer, but at
 * most `patienceMs`: the request that asked first may have ended, and its question with it.
 */
export function remembered<T>(
	clock: Clock,
	{ freshMs, patienceMs }: { readonly freshMs: number; readonly patienceMs: number },
	ask: () => Promise<T>,
): () => Promise<T> {
	let last: { readonly value: T; readonly until: number } | null = null;
	let running: { readonly answer: Promise<T | null>; readonly until: number } | null = null;
	const askNow = async (): Promise<T> => {
		const value = await ask();
		last = { value, until: clock.now() + freshMs };
		return value;
	};
	return async () => {
		const now = clock.now();
		if (last !== null && now < last.until) return last.value;
		if (running !== null && now < running.until) {
			const shared = await within(running.answer, patienceMs, clock);
			if (shared !== null) return shared;
		}
		const asking = askNow();
		// If it fails, the callers that shared it ask again themselves.
		const pending = { answer: asking.catch(() => null), until: clock.now() + patienceMs };
		running = pending;
		try {
			return await asking;
		} finally {
			if (running === pending) running = null;
		}
	};
}

/** Runs a piece of work once: the first caller starts it, all others share its outcome. */
export function onceOnly<T>(): (work: () => Promise<T>) => Promise<T> {
	let outcome: Promise<T> | null = null;
	return (work) => (outcome ??= work());
}
