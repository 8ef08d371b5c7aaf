import { lazySet } from '../../../lists/domain-kinds.ts';

// Services that show advertisements or a sales offer at unused domains. A short list, reviewed by hand: a service is
// listed only if its name servers or addresses serve nothing else. Left out on purpose are registrars whose name
// servers also serve live domains (domaincontrol.com, registrar-servers.com, dnsowl.com, namebrightdns.com), brand
// protection (markmonitor.com) and shared cloud addresses. Sources: MISP warning lists `parking-domain-ns` and
// `parking-domain` (github.com/MISP/misp-warninglists at 09c312f, version 20221024, CC0), checked against public code
// that names the same servers; Dan.com, Undeveloped and Uniregistry are closed, and domains still delegated to them are
// parked or dead.

/** Registrable domains of their name servers. */
export const PARKING_NAME_SERVERS = lazySet(`
above.com afternic.com bodis.com brandbucket.com cashparking.com dan.com domainhasexpired.com domainmarket.com
domainparking.ru dsredirection.com eftydns.com expirationwarning.net fastpark.net hugedomains.com ibspark.com
namefind.com parking-page.net parkingcrew.net parklogic.com parktons.com perfectdomain.com renewyourname.net
rookdns.com searchreinvented.com sedoparking.com smartname.com snparking.ru sslparking.com torresdns.com
undeveloped.com uniregistrymarket.link voodoo.com ztomy.com
`);

/** Address blocks of the services themselves: Sedo, Above.com, ParkingCrew, Bodis. */
export const PARKING_BLOCKS = [
	'64.190.62.0/23',
	'91.195.240.0/23',
	'103.224.182.0/23',
	'103.224.212.0/23',
	'185.53.176.0/22',
	'199.59.240.0/22',
];

/** Names that the `www` of a parked domain is an alias of: these and everything below. */
export const PARKING_ALIASES = lazySet(`
parkingpage.namecheap.com parking.namecheap.com sedoparking.com bodis.com parkingcrew.net parklogic.com
hugedomains.com uniregistrymarket.link domainmarket.com afternic.com dan.com
`);

/** Market places that a website of a name for sale leads to: these and everything below. */
export const MARKET_PLACES = lazySet(`
sedo.com afternic.com dan.com hugedomains.com bodis.com brandbucket.com domainmarket.com perfectdomain.com
atom.com squadhelp.com efty.com parkingcrew.net above.com
`);
