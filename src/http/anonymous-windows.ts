import { admit, viewOf } from '../core/rate-limit/window.ts';
import type { Window, WindowView } from '../core/rate-limit/window.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';

const CLIENTS_MAX = 10_000;

/**
 * Windows of clients without a valid key, so that keys can't be guessed at speed. Kept in the isolate's memory only:
 * approximate across isolates and bounded, without storage.
 */
export class AnonymousWindows {
	readonly #windows = new ExpiringMap<Window>(CLIENTS_MAX);

	/** Counts a request of a client. */
	admit(
		client: string,
		limit: number,
		windowMs: number,
		now: number,
	): { admitted: boolean; view: WindowView } {
		const entered = admit(this.#windows.get(client, now) ?? null, limit, windowMs, now);
		this.#windows.set(client, entered.window, entered.window.startedAt + windowMs);
		return { admitted: entered.admitted, view: viewOf(entered.window, limit, windowMs, now) };
	}
}

/** The client by its IP address; for IPv6 by its /64, since a customer has a whole one. */
export function clientOf(request: Request): string {
	const address = request.headers.get('cf-connecting-ip') ?? 'unknown';
	if (!address.includes(':')) return address;
	const [head = '', tail = ''] = address.split('::');
	const groups = head.split(':');
	const missing = address.includes('::') ? 8 - groups.length - tail.split(':').length : 0;
	return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, 4).join(':');
}
