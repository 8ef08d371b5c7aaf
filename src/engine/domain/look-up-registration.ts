import { findRdapServer, readRdapAnswer, readRdapBootstrap } from '../../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../../core/catchall/domain/rdap.ts';
import type { DomainPorts } from './port.ts';

const DAY_SECONDS = 86_400;
const YEAR_MS = 365 * DAY_SECONDS * 1000;
// Registries forbid automated queries in high volume, and old dates do not change.
const FRESH_YOUNG = 30 * DAY_SECONDS;
const FRESH_OLD = 90 * DAY_SECONDS;
const FRESH_NEGATIVE = DAY_SECONDS;
// After it is fresh, an answer stands in while the registry tells us nothing.
const KEPT = 180 * DAY_SECONDS;
const BOOTSTRAP_KEPT = 7 * DAY_SECONDS;
// How long the bundled servers stand in before the bootstrap file is fetched again.
const STAND_IN_KEPT = 3_600;
const BOOTSTRAP_KEY = 'rdap-servers/1';

/** The cached part of a registry's answer. */
interface Kept {
	readonly found: Registration;
	/** Epoch ms. */
	readonly freshUntil: number;
}

/**
 * When a registrable domain was registered, and whether it is on hold; null: the registry did not tell in time;
 * `not_known`: no server is known for the ending, or its answer is no registration's.
 */
export async function lookUpRegistration(
	{ cache, clock, rdap }: DomainPorts,
	bundled: RdapServers,
	domain: string,
	limitMs: number,
): Promise<Registration | 'not_known' | null> {
	const ends = clock.now() + limitMs;
	const key = `rdap/2/${domain}`;
	const kept = (await cache.get(key)) as Kept | undefined;
	if (kept !== undefined && clock.now() < kept.freshUntil) return kept.found;
	const base = findRdapServer(await knownServers(), domain);
	if (base === null) return 'not_known';
	const reply = await rdap.ask(base, domain, ends - clock.now());
	const now = clock.now();
	if (reply.kind === 'unavailable') return kept?.found ?? null;
	const found: Registration | null =
		reply.kind === 'not_found' ? { kind: 'not_registered' } : readRdapAnswer(reply.body, domain, now);
	if (found === null) return 'not_known';
	const freshUntil = now + freshSeconds(found, now) * 1000;
	await cache.put(key, { found, freshUntil } satisfies Kept, keptSeconds(found, now));
	return found;

	async function knownServers(): Promise<RdapServers> {
		const known = await cache.get(BOOTSTRAP_KEY);
		if (known !== undefined) return known as RdapServers;
		const servers = readRdapBootstrap(await rdap.bootstrap(ends - clock.now()));
		await cache.put(BOOTSTRAP_KEY, servers ?? bundled, servers === null ? STAND_IN_KEPT : BOOTSTRAP_KEPT);
		return servers ?? bundled;
	}
}

/** How long an answer is used without asking again: shorter where the domain is about to change. */
function freshSeconds(found: Registration, now: number): number {
	const isOld = found.kind === 'registered' && found.since !== null && now - found.since > YEAR_MS;
	return unlessItChanges(found, isOld ? FRESH_OLD : FRESH_YOUNG, now);
}

/** How long an answer is kept for want of a newer one. */
function keptSeconds(found: Registration, now: number): number {
	return unlessItChanges(found, KEPT, now);
}

/** The seconds, or fewer: a registration that ends may begin anew, and no hold lasts. */
function unlessItChanges(found: Registration, seconds: number, now: number): number {
	if (found.kind === 'not_registered' || found.holds.length > 0) return FRESH_NEGATIVE;
	if (found.expiresAt === null) return seconds;
	return Math.min(seconds, Math.max(FRESH_NEGATIVE, Math.floor((found.expiresAt - now) / 1000)));
}
