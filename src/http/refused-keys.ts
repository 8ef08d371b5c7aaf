import type { KeyRoute } from '../core/keys/api-key.ts';
import { DEFAULT_LIMITS } from '../core/rate-limit/policy.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { AnonymousWindows } from './anonymous-windows.ts';

const KEYS_MAX = 10_000;
const KEPT_MS = 10 * 60_000;

/**
 * Keys that we signed but that are refused. Their requests are counted here, by key and in the isolate's memory, so
 * that a client that keeps sending an old key changes nothing in the account. Only permanent refusals are remembered: a
 * revoked key stays revoked, while a suspended account may be resumed before the next request.
 */
export class RefusedKeys {
	readonly #windows = new AnonymousWindows();
	readonly #revoked = new ExpiringMap<true>(KEYS_MAX);

	/** Whether the account has reported this very key as revoked. */
	isRevoked(route: KeyRoute, now: number): boolean {
		return this.#revoked.get(nameOf(route), now) === true;
	}

	/** Remembers a key that its account reported as revoked. */
	remember(route: KeyRoute, now: number): void {
		this.#revoked.set(nameOf(route), true, now + KEPT_MS);
	}

	/** Counts a refused request, only for its headers: a 401 stays a 401 when the window is full. */
	count(route: KeyRoute, windowMs: number, now: number): WindowView {
		return this.#windows.admit(nameOf(route), DEFAULT_LIMITS.default, windowMs, now).view;
	}
}

/** Includes the secret's digest: two keys may have the same id, and one must not be refused because of the other. */
function nameOf({ accountId, keyId, secretHash }: KeyRoute): string {
	return `${accountId} ${keyId} ${secretHash}`;
}
