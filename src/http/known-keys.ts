import { readApiKey } from '../core/keys/api-key.ts';
import type { KeyRoute, SigningSecret } from '../core/keys/api-key.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';

const KEYS_MAX = 1_000;
const KEPT_MS = 10 * 60_000;

/**
 * Keys whose signature this isolate has checked. A signature that was right stays right, so nothing can become stale:
 * whether the key still opens the account, the account says each time.
 */
export class KnownKeys {
	readonly #routes = new WeakMap<readonly SigningSecret[], ExpiringMap<KeyRoute>>();

	/** As `readApiKey` at `now` (epoch ms). What is not a key of ours is remembered nowhere. */
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
