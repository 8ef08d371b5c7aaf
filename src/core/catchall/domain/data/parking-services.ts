// Services that show advertisements or a sales offer at unused domains. A short list, reviewed by hand: a service is
// listed only if its name servers or addresses serve nothing else. Left out on purpose are registrars whose name
// servers also serve live domains (domaincontrol.com, registrar-servers.com, dnsowl.com, namebrightdns.com), brand
// protection (markmonitor.com) and shared cloud addresses. Sources: MISP warning lists `parking-domain-ns` and
// `parking-domain` (github.com/MISP/misp-warninglists at 09c312f, version 20221024, CC0), checked against public code
// that names the same servers; Dan.com, Undeveloped and Uniregistry are closed, and domains still delegated to them are
// parked or dead.

/** By the registrable domain of the name servers. */
export const PARKING_NAME_SERVERS: Readonly<Record<string, string>> = {
	'above.com': 'Above.com',
	'afternic.com': 'Afternic',
	'bodis.com': 'Bodis',
	'brandbucket.com': 'BrandBucket',
	'cashparking.com': 'GoDaddy CashParking',
	'dan.com': 'Dan.com',
	'domainhasexpired.com': 'Tucows',
	'domainmarket.com': 'DomainMarket',
	'domainparking.ru': 'DomainParking.ru',
	'dsredirection.com': 'DomainSponsor',
	'eftydns.com': 'Efty',
	'expirationwarning.net': 'an expired registration',
	'fastpark.net': 'Fastpark',
	'hugedomains.com': 'HugeDomains',
	'ibspark.com': 'InternetBS Parking',
	'namefind.com': 'NameFind',
	'parking-page.net': 'Parking-Page',
	'parkingcrew.net': 'ParkingCrew',
	'parklogic.com': 'ParkLogic',
	'parktons.com': 'Parktons',
	'perfectdomain.com': 'PerfectDomain',
	'renewyourname.net': 'an expired registration',
	'rookdns.com': 'Rook Media',
	'searchreinvented.com': 'Search Reinvented',
	'sedoparking.com': 'Sedo',
	'smartname.com': 'SmartName',
	'snparking.ru': 'SNParking',
	'sslparking.com': 'SSLParking',
	'torresdns.com': 'Torres',
	'undeveloped.com': 'Undeveloped',
	'uniregistrymarket.link': 'Uniregistry Market',
	'voodoo.com': 'Voodoo',
	'ztomy.com': 'Skenzo',
};

/** Address blocks of the services themselves. */
export const PARKING_BLOCKS: Readonly<Record<string, string>> = {
	'64.190.62.0/23': 'Sedo',
	'91.195.240.0/23': 'Sedo',
	'103.224.182.0/23': 'Above.com',
	'103.224.212.0/23': 'Above.com',
	'185.53.176.0/22': 'ParkingCrew',
	'199.59.240.0/22': 'Bodis',
};

/** Names that a parked domain, or its `www`, is an alias of: these and everything below. */
export const PARKING_ALIASES: Readonly<Record<string, string>> = {
	'parkingpage.namecheap.com': 'Namecheap parking',
	'parking.namecheap.com': 'Namecheap parking',
	'sedoparking.com': 'Sedo',
	'bodis.com': 'Bodis',
	'parkingcrew.net': 'ParkingCrew',
	'parklogic.com': 'ParkLogic',
	'hugedomains.com': 'HugeDomains',
	'uniregistrymarket.link': 'Uniregistry Market',
	'domainmarket.com': 'DomainMarket',
	'afternic.com': 'Afternic',
	'dan.com': 'Dan.com',
};

/** Market places that a website of a name for sale leads to: these and everything below. */
export const MARKET_PLACES: ReadonlySet<string> = new Set([
	'sedo.com',
	'afternic.com',
	'dan.com',
	'hugedomains.com',
	'bodis.com',
	'brandbucket.com',
	'domainmarket.com',
	'perfectdomain.com',
	'atom.com',
	'squadhelp.com',
	'efty.com',
	'parkingcrew.net',
	'above.com',
]);
