import { readApiKey } from '../core/keys/api-key.ts';
import type { KeyRoute, SigningSecret } from '../core/keys/api-key.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';

const KEYS_MAX = 1_000;
const KEPT_MS = 10 * 60_000;

/**
 * Caches keys whose signature this isolate has checked. A valid signature stays valid, so entries can't become stale:
 * whether the key is still accepted, the account decides each time.
 */
export class KnownKeys {
	readonly #routes = new WeakMap<readonly SigningSecret[], ExpiringMap<KeyRoute>>();

	/** As `readApiKey`, at `now` (epoch ms). Texts that are not our keys are not cached. */
	read(secrets: readonly SigningSecret[], text: string, now: number): KeyRoute | null {
		const routes = this.#routes.get(secrets) ?? new ExpiringMap<KeyRoute>(KEYS_MAX);
		const known = routes.get(text, now);
		if (known !== undefined) return known;
		const route = readApiKey(secrets, text);
		if (route === null) return null;
		routes.set(text, route, now + KEPT_MS);
		this.#routes.set(secrets, routes);
		return route;
	}
}
