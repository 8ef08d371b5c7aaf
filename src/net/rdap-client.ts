import type { RecordSource } from '../core/dns/resolver.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { RdapDirectory, RdapReply } from '../engine/domain/port.ts';
import type { Clock } from '../engine/ports.ts';
import { hostOf } from '../core/webhooks/endpoint-url.ts';
import { checkHost, follow, isOfStrangers, readText } from './public-web.ts';
import type { Fetcher } from './invocation-fetch.ts';

export interface RdapSettings {
	/** The bootstrap file (RFC 9224). The servers that it names are trusted, including http ones on loopback. */
	readonly bootstrapUrl: string;
	/** Says who we are, and where to complain. */
	readonly userAgent: string;
	/** The host of our own address, to which no redirect leads; null: not configured. */
	readonly ownHost: string | null;
	/** Between two questions to the same server. */
	readonly spacingMs: number;
}

const REDIRECTS_MAX = 3;
const ANSWER_OCTETS_MAX = 256 * 1024;
const BOOTSTRAP_OCTETS_MAX = 4 * 1024 * 1024;
// A look-up that has to wait longer for its turn is skipped.
const TURN_WAIT_MAX_MS = 3_000;
const PAUSE_MIN_MS = 1_000;
const PAUSE_DEFAULT_MS = 60_000;
const PAUSE_MAX_MS = 24 * 3_600_000;
const HOSTS_MAX = 500;

/**
 * Asks registries by RDAP (RFC 7480), within their limits: one question a second, and none to a server that answered 429 or
 * 503 until its Retry-After is over. The limits hold per isolate.
 */
export class RdapClient implements RdapDirectory {
	readonly #settings: RdapSettings;
	readonly #records: RecordSource;
	readonly #clock: Clock;
	readonly #fetch: Fetcher;
	/** When each host may be asked again, epoch ms. */
	readonly #freeAt = new ExpiringMap<number>(HOSTS_MAX);
	readonly #paused = new ExpiringMap<true>(HOSTS_MAX);

	constructor(settings: RdapSettings, records: RecordSource, clock: Clock, fetcher: Fetcher) {
		this.#settings = settings;
		this.#records = records;
		this.#clock = clock;
		this.#fetch = fetcher;
	}

	async bootstrap(limitMs: number): Promise<unknown> {
		if (limitMs <= 0) return null;
		try {
			const response = await this.#fetch(this.#settings.bootstrapUrl, {
				headers: { accept: 'application/json', 'user-agent': this.#settings.userAgent },
				redirect: 'follow',
				signal: AbortSignal.timeout(limitMs),
			});
			if (response.status !== 200) {
				await response.body?.cancel();
				return null;
			}
			const { text, isCut } = await readText(response, BOOTSTRAP_OCTETS_MAX);
			return isCut ? null : JSON.parse(text);
		} catch {
			return null;
		}
	}

	async ask(base: string, domain: string, limitMs: number): Promise<RdapReply> {
		const ends = this.#clock.now() + limitMs;
		try {
			const url = new URL(`domain/${encodeURIComponent(domain)}`, base);
			return (await this.#awaitTurn(url.host, ends)) ? await this.#askNow(url, ends) : UNAVAILABLE;
		} catch {
			return UNAVAILABLE;
		}
	}

	/** Waits for a turn at a host; false where that takes too long, or the host is paused. */
	async #awaitTurn(host: string, ends: number): Promise<boolean> {
		const now = this.#clock.now();
		const at = Math.max(now, this.#freeAt.get(host, now) ?? now);
		if (at - now > Math.min(ends - now, TURN_WAIT_MAX_MS)) return false;
		if (this.#paused.get(host, now) !== undefined) return false;
		const freeAt = at + this.#settings.spacingMs;
		this.#freeAt.set(host, freeAt, freeAt);
		if (at > now) await this.#clock.sleep(at - now);
		return this.#paused.get(host, this.#clock.now()) === undefined;
	}

	async #askNow(first: URL, ends: number): Promise<RdapReply> {
		const left = ends - this.#clock.now();
		if (left <= 0) return UNAVAILABLE;
		const signal = AbortSignal.timeout(left);
		const headers = { accept: 'application/rdap+json', 'user-agent': this.#settings.userAgent };
		const request = (url: URL): Promise<Response> =>
			this.#fetch(url.href, { headers, redirect: 'manual', signal });
		const followed = await follow(first, request, REDIRECTS_MAX, async (url, isRedirect) => {
			if (!isRedirect) return null;
			const mayAsk = (await this.#isPublicHttps(url)) && (await this.#awaitTurn(url.host, ends));
			return mayAsk ? null : UNAVAILABLE;
		});
		if (followed.kind !== 'response') return UNAVAILABLE;
		return this.#read(followed.response, new Set([first.host, followed.url.host]));
	}

	/** Even a trusted server must not redirect us to a place that is not public. */
	async #isPublicHttps(url: URL): Promise<boolean> {
		if (!isOfStrangers(url, this.#settings.ownHost)) return false;
		const policy = { kind: 'public_only', alsoAllowed: [] } as const;
		return (await checkHost(this.#records, hostOf(url), policy)) === 'public';
	}

	async #read(response: Response, hosts: ReadonlySet<string>): Promise<RdapReply> {
		if (response.status !== 200) await response.body?.cancel();
		if (response.status === 404) return { kind: 'not_found' }; // RFC 7480 §5.3
		if (response.status === 429 || response.status === 503) {
			const pauseMs = readRetryAfter(response.headers.get('retry-after'), this.#clock.now());
			for (const host of hosts) this.#paused.set(host, true, this.#clock.now() + pauseMs);
		}
		if (response.status !== 200) return UNAVAILABLE;
		const { text, isCut } = await readText(response, ANSWER_OCTETS_MAX);
		return isCut ? UNAVAILABLE : { kind: 'object', body: JSON.parse(text) };
	}
}

const UNAVAILABLE: RdapReply = { kind: 'unavailable' };

/** RFC 9110 §10.2.3: seconds, or a date; a minute where the value can't be read. */
function readRetryAfter(value: string | null, now: number): number {
	const text = value?.trim() ?? '';
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(ms) ? Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, ms)) : PAUSE_DEFAULT_MS;
}
