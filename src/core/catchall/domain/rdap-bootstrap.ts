/** Base URLs of RDAP servers by top-level domain (or a name below it), A-labels in lower case. */
export type RdapServers = Readonly<Record<string, string>>;

const NAMES_MAX = 20_000;

/**
 * Reads a bootstrap file (RFC 9224 §4: `services` is a list of [names, base URLs]); null where it is not one. Of
 * several servers the first https one is used; every base URL ends in a slash.
 */
export function readRdapBootstrap(body: unknown): RdapServers | null {
	const services = isRecord(body) ? body['services'] : null;
	if (!Array.isArray(services)) return null;
	const servers: Record<string, string> = Object.create(null) as Record<string, string>;
	let names = 0;
	for (const service of services) {
		const [entries, urls] = Array.isArray(service) ? (service as unknown[]) : [];
		const base = baseOf(urls);
		if (!Array.isArray(entries) || base === null) continue;
		for (const entry of entries as unknown[]) {
			if (typeof entry !== 'string' || entry.length > 253 || (names += 1) > NAMES_MAX) continue;
			servers[entry.toLowerCase()] = base;
		}
	}
	return names === 0 ? null : servers;
}

/** The server for a domain: the longest matching entry counts (RFC 9224 §4). */
export function findRdapServer(servers: RdapServers, domain: string): string | null {
	const labels = domain.toLowerCase().split('.');
	for (let from = 1; from < labels.length; from += 1) {
		const name = labels.slice(from).join('.');
		const base = Object.hasOwn(servers, name) ? servers[name] : undefined;
		if (base !== undefined) return base;
	}
	return null;
}

function baseOf(urls: unknown): string | null {
	const texts = Array.isArray(urls) ? (urls as unknown[]).filter(isHttpUrl) : [];
	const chosen = texts.find((url) => url.toLowerCase().startsWith('https:')) ?? texts[0];
	if (chosen === undefined) return null;
	return chosen.endsWith('/') ? chosen : `${chosen}/`;
}

function isHttpUrl(value: unknown): value is string {
	if (typeof value !== 'string' || value.length > 2_000 || !/^https?:\/\//i.test(value)) return false;
	return URL.canParse(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
