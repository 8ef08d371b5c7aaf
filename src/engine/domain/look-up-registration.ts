import { findRdapServer, readRdapAnswer, readRdapBootstrap } from '../../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../../core/catchall/domain/rdap.ts';
import type { DomainPorts } from './port.ts';

const DAY_SECONDS = 86_400;
const YEAR_MS = 365 * DAY_SECONDS * 1000;
// Registries forbid automated queries in high volume, and old dates do not change.
const KEPT_YOUNG = 30 * DAY_SECONDS;
const KEPT_OLD = 90 * DAY_SECONDS;
const KEPT_NEGATIVE = DAY_SECONDS;
const BOOTSTRAP_KEPT = 7 * DAY_SECONDS;
// How long the bundled servers stand in before the bootstrap file is fetched again.
const STAND_IN_KEPT = 3_600;
const BOOTSTRAP_KEY = 'rdap-servers/1';

/** When a registrable domain was registered, and whether it is on hold; null: not known. */
export async function lookUpRegistration(
	{ cache, clock, rdap }: DomainPorts,
	bundled: RdapServers,
	domain: string,
	limitMs: number,
): Promise<Registration | null> {
	const ends = clock.now() + limitMs;
	const key = `rdap/1/${domain}`;
	const remembered = await cache.get(key);
	if (remembered !== undefined) return remembered as Registration;
	const base = findRdapServer(await knownServers(), domain);
	if (base === null) return null;
	const reply = await rdap.ask(base, domain, ends - clock.now());
	if (reply.kind === 'unavailable') return null;
	const found: Registration | null =
		reply.kind === 'not_found' ? { kind: 'not_registered' } : readRdapAnswer(reply.body, domain, clock.now());
	if (found !== null) await cache.put(key, found, keptSeconds(found, clock.now()));
	return found;

	async function knownServers(): Promise<RdapServers> {
		const known = await cache.get(BOOTSTRAP_KEY);
		if (known !== undefined) return known as RdapServers;
		const servers = readRdapBootstrap(await rdap.bootstrap(ends - clock.now()));
		await cache.put(BOOTSTRAP_KEY, servers ?? bundled, servers === null ? STAND_IN_KEPT : BOOTSTRAP_KEPT);
		return servers ?? bundled;
	}
}

/** How long an answer is cached: shorter where the domain is about to change. */
function keptSeconds(found: Registration, now: number): number {
	if (found.kind === 'not_registered' || found.holds.length > 0) return KEPT_NEGATIVE;
	const isOld = found.since !== null && now - found.since > YEAR_MS;
	const kept = isOld ? KEPT_OLD : KEPT_YOUNG;
	if (found.expiresAt === null) return kept;
	return Math.min(kept, Math.max(KEPT_NEGATIVE, Math.floor((found.expiresAt - now) / 1000)));
}
