import { ExpiringMap } from '../../lib/expiring-map.ts';

// A conversation over a new connection takes the most of a second; who comes this soon after it had begun may meet the
// next one's connection still open.
const COMPANY_MS = 2_000;
const NAMES_MAX = 1_000;

/**
 * Which exchangers are worth asking, as far as one isolate can tell. An exchanger is paid for while it talks and while
 * it waits, a Worker is not, and whoever comes alone finds no connection open: he dials by himself.
 */
export class Company {
	readonly #lately = new ExpiringMap<true>(NAMES_MAX);

	/** Somebody has a question for the exchanger of this name at `now` (epoch ms): whether another one had lately. */
	joins(name: string, now: number): boolean {
		const isAccompanied = this.#lately.get(name, now) !== undefined;
		this.#lately.set(name, true, now + COMPANY_MS);
		return isAccompanied;
	}
}
