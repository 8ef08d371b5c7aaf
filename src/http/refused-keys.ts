import type { KeyRoute } from '../core/keys/api-key.ts';
import { DEFAULT_LIMITS } from '../core/rate-limit/policy.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { AnonymousWindows } from './anonymous-windows.ts';

const KEYS_MAX = 10_000;
const KEPT_MS = 10 * 60_000;

/**
 * Keys that we signed and that open nothing. Their requests are counted here, in the isolate's memory and by key, so
 * that nothing of the account moves because somebody goes on sending an old key. Only what is for good is remembered:
 * a revoked key never comes back, while a suspended account may be opened again before the next request.
 */
export class RefusedKeys {
	readonly #windows = new AnonymousWindows();
	readonly #revoked = new ExpiringMap<true>(KEYS_MAX);

	/** Whether the account has said of this very key that it was revoked. */
	isRevoked(route: KeyRoute, now: number): boolean {
		return this.#revoked.get(nameOf(route), now) === true;
	}

	/** Remembers a key that its account called revoked. */
	remember(route: KeyRoute, now: number): void {
		this.#revoked.set(nameOf(route), true, now + KEPT_MS);
	}

	/** Counts a refused request, for its headers alone: a 401 stays one when the window is full. */
	count(route: KeyRoute, windowMs: number, now: number): WindowView {
		return this.#windows.admit(nameOf(route), DEFAULT_LIMITS.default, windowMs, now).view;
	}
}

/** With the secret's digest: two keys may have one id, and the wrong one must not be refused for the other. */
function nameOf({ accountId, keyId, secretHash }: KeyRoute): string {
	return `${accountId} ${keyId} ${secretHash}`;
}
