import { findRdapServer, NOT_TOLD, readRdapAnswer, readRdapBootstrap } from '../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../core/catchall/domain/rdap.ts';
import type { Clock } from '../lib/time.ts';
import { DAY_MS } from '../lib/time.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { parseJson } from '../lib/text.ts';
import type { WebAnswer, WebReader } from './public-web.ts';

/** Null: no registry knows the domain. */
type Told = Registration | typeof NOT_TOLD | null;

/**
 * What its registry tells of a registrable domain. Never throws.
 *
 * A question may never end, if the call that began it was cancelled: the caller waits no longer than `limitMs`. For as long
 * its answer is shared, so that no call asks again before it is kept.
 */
export type RegistryReader = (domain: string, limitMs: number) => Promise<Told>;

const ANSWER_OCTETS_MAX = 256 * 1024;
const OF_BOOTSTRAP = {
	octetsMax: 4 * 1024 * 1024,
	accept: 'application/json',
	admits: () => true,
	trusted: true,
} as const;
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
 * Asks registries by RDAP (RFC 7480) when a registrable domain was registered, and whether it is on hold, within their
 * limits: one question a second, and none to a server that answered 429 or 503 until its Retry-After is over. Calls that
 * come together share a question. The limits hold per isolate.
 *
 * @param bootstrapUrl the bootstrap file (RFC 9224); the servers that it names are trusted, including http ones on loopback
 * @param spacingMs between two questions to the same server
 */
export function registryReader(
	{ bootstrapUrl, spacingMs }: { readonly bootstrapUrl: string; readonly spacingMs: number },
	read: WebReader,
	clock: Clock,
): RegistryReader {
	/** What registries told of each domain, or the question to them. */
	const answers = new ExpiringMap<Promise<Told>>(DOMAINS_MAX);
	/** When each host may be asked again, epoch ms. */
	const freeAt = new ExpiringMap<number>(HOSTS_MAX);
	const paused = new ExpiringMap<true>(HOSTS_MAX);
	let servers: RdapServers | null = null;
	let serversUntil = -Infinity;

	const findServers = async (ends: number): Promise<RdapServers | null> => {
		const now = clock.now();
		if (now < serversUntil) return servers;
		servers = readRdapBootstrap(jsonOf(await read(bootstrapUrl, { ...OF_BOOTSTRAP, limitMs: ends - now })));
		serversUntil = now + (servers === null ? NO_BOOTSTRAP_KEPT_MS : KEPT_MS);
		return servers;
	};

	/** Waits for a turn at a host; false where that takes too long, or the host is paused. */
	const awaitTurn = async (host: string, ends: number): Promise<boolean> => {
		const now = clock.now();
		const at = Math.max(now, freeAt.get(host, now) ?? now);
		if (at - now > Math.min(ends - now, TURN_WAIT_MAX_MS)) return false;
		if (paused.get(host, now) !== undefined) return false;
		freeAt.set(host, at + spacingMs, at + spacingMs);
		if (at > now) await clock.sleep(at - now);
		return paused.get(host, clock.now()) === undefined;
	};

	const ask = async (domain: string, ends: number): Promise<Told> => {
		const known = await findServers(ends);
		if (known === null) return NOT_TOLD;
		const base = findRdapServer(known, domain);
		if (base === null) return null;
		const hosts: string[] = [];
		const answer = await read(`${base}domain/${encodeURIComponent(domain)}`, {
			limitMs: ends - clock.now(),
			octetsMax: ANSWER_OCTETS_MAX,
			accept: 'application/rdap+json',
			admits: (host) => {
				hosts.push(host);
				return awaitTurn(host, ends);
			},
			trusted: true,
		});
		const now = clock.now();
		const page = answer.kind === 'page' ? answer : null;
		if (page?.status === 429 || page?.status === 503) {
			const pauseMs = readRetryAfter(page.headers.get('retry-after'), now);
			for (const host of hosts) paused.set(host, true, now + pauseMs);
		}
		const isUnknown = page?.status === 404; // RFC 7480 §5.3
		const body = jsonOf(answer);
		const found = readRdapAnswer(body, domain, now);
		// No registration may soon be one, and no hold lasts.
		if (found !== null || isUnknown)
			answers.set(domain, Promise.resolve(found), now + (found?.holds.length === 0 ? KEPT_MS : DAY_MS));
		else answers.delete(domain);
		return body === null && !isUnknown ? NOT_TOLD : found;
	};

	return (domain, limitMs) => {
		const now = clock.now();
		const known = answers.get(domain, now);
		if (known !== undefined) return known;
		const asked = ask(domain, now + limitMs);
		answers.set(domain, asked, now + limitMs);
		return asked;
	};
}

/** The JSON of a page; null: there is none, and one that is cut off is none. */
function jsonOf(answer: WebAnswer): unknown {
	return answer.kind === 'page' && answer.status === 200 ? (parseJson(answer.text) ?? null) : null;
}

/** RFC 9110 §10.2.3: seconds, or a date; a minute where the value can't be read. */
function readRetryAfter(value: string | null, now: number): number {
	const text = value?.trim() ?? '';
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(ms) ? Math.min(DAY_MS, ms) : PAUSE_DEFAULT_MS;
}
