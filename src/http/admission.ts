import { readApiKey } from '../core/keys/api-key.ts';
import type { KeyRoute, SigningSecret } from '../core/keys/api-key.ts';
import { admit, DEFAULT_LIMITS, viewOf } from '../core/rate-limit/window.ts';
import type { Category, Window } from '../core/rate-limit/window.ts';
import { errorOf, ServiceError, insufficientCredits } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { AppContext } from './context.ts';
import { assert } from '../lib/assert.ts';
import { sha256Hex } from '../lib/digest.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { AdmitRequest, DOMAINS_ID_PREFIX, KeyedCall, KeyRefusal } from '../operations/verify/port.ts';

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

	/** Counts a request of its client, and returns the window. Throws a 429, in these words, where there were too many. */
	enter(c: AppContext, limit: number, { windowMs, says }: { windowMs?: number; says?: string } = {}) {
		const { clock, config } = c.var.services;
		const [now, length] = [clock.now(), windowMs ?? config.RATE_WINDOW_SECONDS * 1000];
		const client = clientOf(c.req.raw);
		const { admitted, window } = admit(this.#windows.get(client, now) ?? null, limit, length, now);
		this.#windows.set(client, window, window.startedAt + length);
		const view = viewOf(window, limit, length, now);
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

const anonymous = new AnonymousWindows();
const keys = new KnownKeys();

/** How a key ended for good. A suspended account may be resumed before the next request. */
type Ended = Extract<KeyRefusal, 'revoked' | 'expired'>;

// Keys that we signed and that ended, as their accounts reported: a client that keeps sending an old one is none of the
// account's work.
const ended = new ExpiringMap<Ended>(10_000);
// Accounts that can pay for what is begun before their admission.
const admittedLately = new ExpiringMap<true>(10_000);
const LATELY_MS = 10 * 60_000;

/** Whether the caller's account was admitted with a reservation a moment ago. */
export function wasAdmittedLately(c: AppContext): boolean {
	return admittedLately.get(c.var.credential.accountId, c.var.services.clock.now()) !== undefined;
}

/**
 * Checks the key's signature, without storage. A client without a valid key is counted by IP address and refused; a key
 * that is known to have ended is refused.
 */
export function authenticate(c: AppContext): void {
	const { config, clock } = c.var.services;
	if (config.KEY_SIGNING_SECRET.length === 0) throw errorOf('misconfigured');
	const presented = presentedKey(c);
	const isKey = typeof presented === 'string';
	const credential = isKey ? keys.read(config.KEY_SIGNING_SECRET, presented, clock.now()) : null;
	if (credential === null) {
		c.set('window', anonymous.enter(c, DEFAULT_LIMITS.default));
		throw isKey ? errorOf(REFUSED.unknown) : presented;
	}
	c.set('credential', credential);
	c.set('services', c.var.services.forAccount(credential.accountId));
	const end = ended.get(nameOf(credential), clock.now());
	if (end !== undefined) throw refusalOf(c, end);
}

/** Throws if a route answered without `enter`: a key without the scope, or a revoked one, could have called it. */
export function requireAdmission(c: AppContext): void {
	assert(
		c.error !== undefined || c.var.window !== undefined,
		'every call under /v1 is admitted by its account',
	);
}

/** The work of the call to the account beside the admission. */
interface AskedAlong extends Pick<AdmitRequest, 'jobId' | 'outcomeOf'> {
	/** To be reserved. */
	readonly credits?: number | null;
	/** The prefix of the reservation's id, which tells on the ledger what was done. */
	readonly idPrefix?: 'vfy' | typeof DOMAINS_ID_PREFIX;
	/** Under an Idempotency-Key: nothing is reserved where there was an earlier call. */
	readonly call?: KeyedCall | null;
}

// Most answers to an earlier request are there by then.
const SOON_SECONDS = 2;

/** Admits a request with one call to the account: key, usage, window, credits, and the job that it asks about. */
export async function enter(
	c: AppContext,
	category: Category,
	{ credits = null, idPrefix = 'vfy', call = null, ...along }: AskedAlong = {},
) {
	const { config, clock, accounts, newId } = c.var.services;
	const { accountId, keyId, secretHash } = c.var.credential;
	const scopes = c.var.scopes ?? [];
	const now = clock.now();
	const reservation = { id: newId(idPrefix), at: now };
	const admission = await accounts(accountId).admit({
		keyId,
		secretHash,
		scopes,
		category,
		windowMs: config.RATE_WINDOW_SECONDS * 1000,
		now,
		reservation: credits === null ? null : { id: reservation.id, credits },
		...along,
		...(call === null ? {} : { call }),
	});
	c.set('window', admission.window);
	switch (admission.kind) {
		case 'admitted': {
			const { kind: _, window: __, earlier, ...found } = admission;
			if (earlier?.kind === 'mismatch') throw errorOf('idempotency_key_reused');
			if (earlier?.kind === 'under_way')
				throw errorOf('request_in_progress', { retryAfterSeconds: SOON_SECONDS });
			if (credits !== null) admittedLately.set(accountId, true, now + LATELY_MS);
			// The answer to an earlier call under the key, by which nothing is reserved.
			const answered = earlier?.kind === 'answered' ? earlier.answer : null;
			// The reservation may be that of an earlier call under the key.
			return { reservation, ...found, calledAt: now, answered };
		}
		case 'unauthenticated':
			if (admission.because === 'revoked' || admission.because === 'expired')
				ended.set(nameOf(c.var.credential), admission.because, now + KEPT_MS);
			throw refusalOf(c, admission.because);
		case 'rate_limited':
			throw errorOf('rate_limited');
		case 'insufficient_credits':
			admittedLately.delete(accountId);
			throw insufficientCredits(credits ?? 0, admission.available);
	}
}

// Printable ASCII, 1-255 characters. Surrounding spaces are not part of the value (RFC 9110 §5.5).
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
// No accepted key contains it, so that different keys stay different.
const STORED_SPACE = '\u00a0';

/**
 * The header as it is stored, or null without one. Our own keys (`upload …`) contain a plain space, so a caller's
 * stored key never does.
 */
export function readIdempotencyKey(c: Pick<AppContext, 'req'>): string | null {
	const key = c.req.header('idempotency-key') ?? null;
	if (key !== null && !IDEMPOTENCY_KEY.test(key))
		throw errorOf('invalid_idempotency_key', { details: { param: 'Idempotency-Key' } });
	return key?.replaceAll(' ', STORED_SPACE) ?? null;
}

/**
 * The call under the Idempotency-Key of a request that is answered at once; null without a key.
 *
 * @param endpoint keeps its keys apart from all others: a caller's own contain no plain space
 * @param parameters what the same key must ask for again
 */
export function keyedCall(c: AppContext, endpoint: 'domains' | 'verify', parameters: unknown) {
	const key = readIdempotencyKey(c);
	if (key === null) return null;
	return { key: `${endpoint} ${key}`, fingerprint: sha256Hex(JSON.stringify(parameters)) };
}

/** A request of a refused key is in no window. */
function refusalOf(c: AppContext, because: KeyRefusal): ServiceError {
	if (because !== 'out_of_scope') return errorOf(REFUSED[because]);
	const { scopes } = c.var;
	const needed = Array.isArray(scopes) ? scopes.join(' or ') : 'of this call';
	return new ServiceError('key_scope', `This call needs a key with the scope ${needed}`);
}

const REFUSED = {
	unknown: 'api_key_invalid',
	revoked: 'api_key_invalid',
	expired: 'api_key_expired',
	suspended: 'account_suspended',
} as const satisfies Record<Exclude<KeyRefusal, 'out_of_scope'>, ErrorCode>;
