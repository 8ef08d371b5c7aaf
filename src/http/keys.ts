import { errorOf, ServiceError } from '../errors.ts';
import type { AppContext } from './context.ts';
import { readApiKey } from '../core/keys/api-key.ts';
import type { KeyRoute, SigningSecret } from '../core/keys/api-key.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { admit, DEFAULT_LIMITS, viewOf } from '../core/rate-limit/window.ts';
import type { Window, WindowView } from '../core/rate-limit/window.ts';
import type { KeyRefusal } from '../operations/verify/port.ts';

/** The key of either header (spec §5.1), not looked at yet; or why there is none. If both are sent they must be equal. */
export function presentedKey(c: Pick<AppContext, 'req'>): string | ServiceError {
	const authorization = c.req.header('authorization')?.trim();
	const direct = c.req.header('x-api-key')?.trim();
	if (authorization === undefined)
		return direct === undefined || direct === '' ? errorOf('api_key_missing') : direct;
	const bearer = bearerOf(authorization);
	if (typeof bearer !== 'string' || direct === undefined) return bearer;
	return bearer === direct ? bearer : errorOf('api_keys_differ');
}

/** RFC 6750 §2.1. */
function bearerOf(authorization: string): string | ServiceError {
	if (/^(?:bearer)?$/i.test(authorization)) return errorOf('api_key_missing');
	const [, key] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
	if (key !== undefined) return key;
	const fault = /^\S+$/.test(authorization)
		? 'Authorization has no scheme: write `Bearer` and a space before the key'
		: 'Authorization must be the word `Bearer`, a space and the key';
	const text = `${fault}, as in \`Authorization: Bearer <API_KEY>\``;
	return new ServiceError('authorization_malformed', text);
}

const KNOWN_KEYS_MAX = 1_000;
const KEPT_MS = 10 * 60_000;

/**
 * Caches keys whose signature this isolate has checked. A valid signature stays valid, so entries can't become stale:
 * whether the key is still accepted, the account decides each time.
 */
export class KnownKeys {
	readonly #routes = new WeakMap<readonly SigningSecret[], ExpiringMap<KeyRoute>>();

	/** As `readApiKey`, at `now` (epoch ms). Texts that are not our keys are not cached. */
	read(secrets: readonly SigningSecret[], text: string, now: number): KeyRoute | null {
		const routes = this.#routes.get(secrets) ?? new ExpiringMap<KeyRoute>(KNOWN_KEYS_MAX);
		const known = routes.get(text, now);
		if (known !== undefined) return known;
		const route = readApiKey(secrets, text);
		if (route === null) return null;
		routes.set(text, route, now + KEPT_MS);
		this.#routes.set(secrets, routes);
		return route;
	}
}

const REFUSED_KEYS_MAX = 10_000;

/** How a key ended for good. */
type Ended = Extract<KeyRefusal, 'revoked' | 'expired'>;

/**
 * Keys that we signed but that are refused. Their requests are counted here, by key and in the isolate's memory, so
 * that a client that keeps sending an old key changes nothing in the account. Only permanent refusals are remembered: a
 * revoked or expired key stays so, while a suspended account may be resumed before the next request.
 */
export class RefusedKeys {
	readonly #windows = new AnonymousWindows();
	readonly #ended = new ExpiringMap<Ended>(REFUSED_KEYS_MAX);

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

	/** Counts a request of its client, and returns the window. Throws a 429, in these words, where there were too many. */
	enter(
		c: AppContext,
		limit: number,
		{ windowMs, says }: { windowMs?: number; says?: string } = {},
	): WindowView {
		const { config, clock } = c.var.services;
		const length = windowMs ?? config.RATE_WINDOW_SECONDS * 1000;
		const { admitted, view } = this.admit(clientOf(c.req.raw), limit, length, clock.now());
		if (admitted) return view;
		c.set('window', view);
		throw says === undefined ? errorOf('rate_limited') : new ServiceError('rate_limited', says);
	}
}

/** The network of the client: its IP address; for IPv6 by its /64, since a customer has a whole one. */
export function clientOf(request: Request): string {
	const address = request.headers.get('cf-connecting-ip') ?? 'unknown';
	if (!address.includes(':')) return address;
	const [head = '', tail = ''] = address.split('::');
	const groups = head.split(':');
	const missing = address.includes('::') ? 8 - groups.length - tail.split(':').length : 0;
	return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, 4).join(':');
}
