import type { Clock } from '../engine/ports.ts';

// A store that failed is asked again soon, so that an outage of a moment does not decide for hours.
const RETRY_AFTER_MS = 30_000;

/** A value that the isolate keeps and loads again after `everyMs`. While the store fails, the last value holds. */
export class Reloaded<T> {
	readonly #load: () => Promise<T>;
	readonly #clock: Clock;
	readonly #everyMs: number;
	readonly #failed: (error: unknown) => void;
	#value: T | null = null;
	#dueAt = -Infinity;
	/** How often the value was said to be out of date, and how often when its loading began. */
	#expirations = 0;
	#knownExpirations = 0;

	/** @param failed logs that loading failed */
	constructor(load: () => Promise<T>, clock: Clock, everyMs: number, failed: (error: unknown) => void) {
		this.#load = load;
		this.#clock = clock;
		this.#everyMs = everyMs;
		this.#failed = failed;
	}

	/** The value, or null if it could never be loaded. */
	async current(): Promise<T | null> {
		const now = this.#clock.now();
		const expirations = this.#expirations;
		const isKnown = expirations === this.#knownExpirations;
		if (this.#value !== null && isKnown && now < this.#dueAt) return this.#value;
		// Set first, so that one request loads while the others use the last value.
		this.#dueAt = now + this.#everyMs;
		try {
			this.#value = await this.#load();
			this.#knownExpirations = expirations;
		} catch (error) {
			// The last value holds.
			this.#knownExpirations = expirations;
			this.#dueAt = now + RETRY_AFTER_MS;
			this.#failed(error);
		}
		return this.#value;
	}

	/** Has each call load the value until one that begins now or later has it. */
	expire(): void {
		this.#expirations += 1;
	}
}
