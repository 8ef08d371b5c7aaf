import type { KeyRoute } from '../core/keys/api-key.ts';
import { DEFAULT_LIMITS } from '../core/rate-limit/policy.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import type { KeyRefusal } from '../operations/verify/port.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { AnonymousWindows } from './anonymous-windows.ts';

const KEYS_MAX = 10_000;
const KEPT_MS = 10 * 60_000;

/** How a key ended for good. */
type Ended = Extract<KeyRefusal, 'revoked' | 'expired'>;

/**
 * Keys that we signed but that are refused. Their requests are counted here, by key and in the isolate's memory, so
 * that a client that keeps sending an old key changes nothing in the account. Only permanent refusals are remembered: a
 * revoked or expired key stays so, while a suspended account may be resumed before the next request.
 */
export class RefusedKeys {
	readonly #windows = new AnonymousWindows();
	readonly #ended = new ExpiringMap<Ended>(KEYS_MAX);

	/** How this very key ended, as its account reported; null: nothing is known. */
	endOf(route: KeyRoute, now: number): Ended | null {
		return this.#ended.get(nameOf(route), now) ?? null;
	}

	/** Remembers a key that its account reported as ended. */
	remember(route: KeyRoute, ended: Ended, now: number): void {
		this.#ended.set(nameOf(route), ended, now + KEPT_MS);
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
