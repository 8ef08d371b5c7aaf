import type { Clock } from '../lib/time.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { parseJson } from '../lib/text.ts';
import type { CheckedWeb } from './public-web.ts';

export type RdapReply =
	| { readonly kind: 'object'; readonly body: unknown }
	/** The registry does not know the domain. */
	| { readonly kind: 'not_found' }
	/** No turn in time, no usable answer, or the server asked us to pause. */
	| { readonly kind: 'unavailable' };

interface RdapSettings {
	/** The bootstrap file (RFC 9224). The servers that it names are trusted, including http ones on loopback. */
	readonly bootstrapUrl: string;
	/** Between two questions to the same server. */
	readonly spacingMs: number;
}

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
 * 503 until its Retry-After is over. Calls that come together share a question. The limits hold per isolate.
 */
export class RdapClient {
	readonly #settings: RdapSettings;
	readonly #web: CheckedWeb;
	readonly #clock: Clock;
	/** When each host may be asked again, epoch ms. */
	readonly #freeAt = new ExpiringMap<number>(HOSTS_MAX);
	readonly #paused = new ExpiringMap<true>(HOSTS_MAX);
	readonly #asking = new ExpiringMap<Promise<RdapReply>>(HOSTS_MAX);

	constructor(settings: RdapSettings, web: CheckedWeb, clock: Clock) {
		this.#settings = settings;
		this.#web = web;
		this.#clock = clock;
	}

	/** The bootstrap file as parsed JSON, or null when it can't be fetched. */
	async bootstrap(limitMs: number): Promise<unknown> {
		const answer = await this.#web.get(this.#settings.bootstrapUrl, {
			limitMs,
			octetsMax: BOOTSTRAP_OCTETS_MAX,
			accept: 'application/json',
			admits: () => true,
			trusted: true,
		});
		if (answer.kind !== 'page' || answer.status !== 200 || !answer.isWhole) return null;
		return parseJson(answer.text) ?? null;
	}

	/**
	 * Asks the server at `base` about a registrable domain. Never throws.
	 *
	 * A question may never end, if the call that began it was cancelled: the caller waits no longer than `limitMs`. For as long
	 * its answer is shared, so that no call asks again before a cache has it.
	 */
	ask(base: string, domain: string, limitMs: number): Promise<RdapReply> {
		const now = this.#clock.now();
		const url = `${base}domain/${encodeURIComponent(domain)}`;
		const known = this.#asking.get(url, now);
		if (known !== undefined) return known;
		const reply = this.#ask(url, now + limitMs);
		this.#asking.set(url, reply, now + limitMs);
		const forget = (): void => this.#asking.delete(url);
		reply.then(({ kind }) => kind === 'unavailable' && forget(), forget);
		return reply;
	}

	async #ask(url: string, ends: number): Promise<RdapReply> {
		const hosts: string[] = [];
		const answer = await this.#web.get(url, {
			limitMs: ends - this.#clock.now(),
			octetsMax: ANSWER_OCTETS_MAX,
			accept: 'application/rdap+json',
			admits: (host) => {
				hosts.push(host);
				return this.#awaitTurn(host, ends);
			},
			trusted: true,
		});
		if (answer.kind !== 'page') return UNAVAILABLE;
		const { status, text, isWhole, headers } = answer;
		if (status === 404) return { kind: 'not_found' }; // RFC 7480 §5.3
		if (status === 429 || status === 503) {
			const now = this.#clock.now();
			const pauseMs = readRetryAfter(headers.get('retry-after'), now);
			for (const host of hosts) this.#paused.set(host, true, now + pauseMs);
		}
		const body = status === 200 && isWhole ? (parseJson(text) ?? null) : null;
		return body === null ? UNAVAILABLE : { kind: 'object', body };
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
}

const UNAVAILABLE = { kind: 'unavailable' } as const;

/** RFC 9110 §10.2.3: seconds, or a date; a minute where the value can't be read. */
function readRetryAfter(value: string | null, now: number): number {
	const text = value?.trim() ?? '';
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(ms) ? Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, ms)) : PAUSE_DEFAULT_MS;
}
