import { findRdapServer, NOT_TOLD, readRdapAnswer, readRdapBootstrap } from '../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../core/catchall/domain/rdap.ts';
import type { Clock } from '../lib/time.ts';
import { DAY_MS } from '../lib/time.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { parseJson } from '../lib/text.ts';
import type { WebReader } from './public-web.ts';

/** Null: no registry knows the domain. */
type Told = Registration | typeof NOT_TOLD | null;

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
const PAUSE_DEFAULT_MS = 60_000;
const HOSTS_MAX = 500;
const DOMAINS_MAX = 5_000;
// Registries forbid automated queries in high volume. Kept longer, a name that ran out may have another owner.
const KEPT_MS = 7 * DAY_MS;
// For this long the bootstrap file is not fetched again where it could not be had.
const NO_BOOTSTRAP_KEPT_MS = 60_000;

/**
 * Asks registries by RDAP (RFC 7480), within their limits: one question a second, and none to a server that answered 429 or
 * 503 until its Retry-After is over. Calls that come together share a question. The limits hold per isolate.
 */
export class RdapClient {
	readonly #settings: RdapSettings;
	readonly #read: WebReader;
	readonly #clock: Clock;
	/** What registries told of each domain, or the question to them. */
	readonly #told = new ExpiringMap<Promise<Told>>(DOMAINS_MAX);
	/** When each host may be asked again, epoch ms. */
	readonly #freeAt = new ExpiringMap<number>(HOSTS_MAX);
	readonly #paused = new ExpiringMap<true>(HOSTS_MAX);
	#servers: RdapServers | null = null;
	#serversUntil = -Infinity;

	constructor(settings: RdapSettings, read: WebReader, clock: Clock) {
		this.#settings = settings;
		this.#read = read;
		this.#clock = clock;
	}

	/**
	 * When a registrable domain was registered, and whether it is on hold. Never throws.
	 *
	 * A question may never end, if the call that began it was cancelled: the caller waits no longer than `limitMs`. For as long
	 * its answer is shared, so that no call asks again before it is kept.
	 */
	registrationOf(domain: string, limitMs: number): Promise<Told> {
		const now = this.#clock.now();
		const known = this.#told.get(domain, now);
		if (known !== undefined) return known;
		const asked = this.#ask(domain, now + limitMs);
		this.#told.set(domain, asked, now + limitMs);
		return asked;
	}

	async #ask(domain: string, ends: number): Promise<Told> {
		const servers = await this.#findServers(ends);
		if (servers === null) return NOT_TOLD;
		const base = findRdapServer(servers, domain);
		if (base === null) return null;
		const hosts: string[] = [];
		const answer = await this.#read(`${base}domain/${encodeURIComponent(domain)}`, {
			limitMs: ends - this.#clock.now(),
			octetsMax: ANSWER_OCTETS_MAX,
			accept: 'application/rdap+json',
			admits: (host) => {
				hosts.push(host);
				return this.#awaitTurn(host, ends);
			},
			trusted: true,
		});
		const now = this.#clock.now();
		const page = answer.kind === 'page' ? answer : null;
		if (page?.status === 429 || page?.status === 503) {
			const pauseMs = readRetryAfter(page.headers.get('retry-after'), now);
			for (const host of hosts) this.#paused.set(host, true, now + pauseMs);
		}
		const isUnknown = page?.status === 404; // RFC 7480 §5.3
		// One that is cut off is no JSON.
		const body = page?.status === 200 ? (parseJson(page.text) ?? null) : null;
		const found = readRdapAnswer(body, domain, now);
		// No registration may soon be one, and no hold lasts.
		if (found !== null || isUnknown)
			this.#told.set(domain, Promise.resolve(found), now + (found?.holds.length === 0 ? KEPT_MS : DAY_MS));
		else this.#told.delete(domain);
		return body === null && !isUnknown ? NOT_TOLD : found;
	}

	/** The servers of the bootstrap file; null: it can't be had. */
	async #findServers(ends: number): Promise<RdapServers | null> {
		const now = this.#clock.now();
		if (now < this.#serversUntil) return this.#servers;
		const answer = await this.#read(this.#settings.bootstrapUrl, {
			limitMs: ends - now,
			octetsMax: BOOTSTRAP_OCTETS_MAX,
			accept: 'application/json',
			admits: () => true,
			trusted: true,
		});
		const isFile = answer.kind === 'page' && answer.status === 200;
		this.#servers = isFile ? readRdapBootstrap(parseJson(answer.text)) : null;
		this.#serversUntil = now + (this.#servers === null ? NO_BOOTSTRAP_KEPT_MS : KEPT_MS);
		return this.#servers;
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

/** RFC 9110 §10.2.3: seconds, or a date; a minute where the value can't be read. */
function readRetryAfter(value: string | null, now: number): number {
	const text = value?.trim() ?? '';
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(ms) ? Math.min(DAY_MS, ms) : PAUSE_DEFAULT_MS;
}
