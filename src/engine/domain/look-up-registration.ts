import { NOT_TOLD } from '../../core/catchall/domain.ts';
import type { DomainFacts } from '../../core/catchall/domain.ts';
import { findRdapServer, readRdapAnswer, readRdapBootstrap } from '../../core/catchall/domain/rdap.ts';
import type { RdapServers, Registration } from '../../core/catchall/domain/rdap.ts';
import type { DomainPorts } from './port.ts';

const DAY_SECONDS = 86_400;
// Registries forbid automated queries in high volume. Kept longer, a name that ran out may have another owner.
const KEPT = 7 * DAY_SECONDS;
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
	const key = `rdap/4/${domain}`;
	const known = await cache.get(key);
	if (known !== undefined) return known as Registration | null;
	let servers = (await cache.get(BOOTSTRAP_KEY)) as RdapServers | null | undefined;
	if (servers === undefined) {
		servers = readRdapBootstrap(await rdap.bootstrap(ends - clock.now()));
		await cache.put(BOOTSTRAP_KEY, servers, servers === null ? NO_BOOTSTRAP_KEPT : KEPT);
	}
	if (servers === null) return NOT_TOLD;
	const base = findRdapServer(servers, domain);
	if (base === null) return null;
	const reply = await rdap.ask(base, domain, ends - clock.now());
	if (reply.kind === 'unavailable') return NOT_TOLD;
	const found = reply.kind === 'object' ? readRdapAnswer(reply.body, domain, clock.now()) : null;
	// No registration may soon be one, and no hold lasts.
	if (found !== null || reply.kind === 'not_found')
		await cache.put(key, found, found?.holds.length === 0 ? KEPT : DAY_SECONDS);
	return found;
}
