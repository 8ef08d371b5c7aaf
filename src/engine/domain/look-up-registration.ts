import { NOT_TOLD } from '../../core/catchall/domain.ts';
import type { DomainFacts } from '../../core/catchall/domain.ts';
import { findRdapServer, readRdapAnswer, readRdapBootstrap } from '../../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../../core/catchall/domain/rdap.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { DomainPorts } from './port.ts';

const DAY_SECONDS = 86_400;
// Registries forbid automated queries in high volume, and old dates do not change.
const KEPT_YOUNG = 30 * DAY_SECONDS;
const KEPT_OLD = 90 * DAY_SECONDS;
const BOOTSTRAP_KEPT = 7 * DAY_SECONDS;
// For this long the bootstrap file is not fetched again where it could not be had.
const NO_BOOTSTRAP_KEPT = 60;
const BOOTSTRAP_KEY = 'rdap-servers/1';

/**
 * When a registrable domain was registered, and whether it is on hold; null: no registry knows it.
 */
export async function lookUpRegistration(
	{ cache, clock, rdap }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<DomainFacts['registration']> {
	const ends = clock.now() + limitMs;
	const key = `rdap/3/${domain}`;
	const known = await cache.get(key);
	if (known !== undefined) return known as Registration | null;
	let servers = (await cache.get(BOOTSTRAP_KEY)) as RdapServers | null | undefined;
	if (servers === undefined) {
		servers = readRdapBootstrap(await rdap.bootstrap(ends - clock.now()));
		await cache.put(BOOTSTRAP_KEY, servers, servers === null ? NO_BOOTSTRAP_KEPT : BOOTSTRAP_KEPT);
	}
	if (servers === null) return NOT_TOLD;
	const base = findRdapServer(servers, domain);
	if (base === null) return null;
	const reply = await rdap.ask(base, domain, ends - clock.now());
	if (reply.kind === 'unavailable') return NOT_TOLD;
	const found = reply.kind === 'object' ? readRdapAnswer(reply.body, domain, clock.now()) : null;
	if (found !== null || reply.kind === 'not_found')
		await cache.put(key, found, keptSeconds(found, clock.now()));
	return found;
}

/** No registration is soon another one, one that ends may begin anew, and no hold lasts. */
function keptSeconds(found: Registration | null, now: number): number {
	if (found === null || found.holds.length > 0) return DAY_SECONDS;
	const { since, expiresAt } = found;
	const seconds = since !== null && now - since > 365 * DAY_MS ? KEPT_OLD : KEPT_YOUNG;
	if (expiresAt === null) return seconds;
	return Math.min(seconds, Math.max(DAY_SECONDS, Math.floor((expiresAt - now) / 1000)));
}
