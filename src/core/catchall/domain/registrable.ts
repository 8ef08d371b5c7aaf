import { parse } from 'tldts';

/** What somebody registered, by the public suffix list. */
export interface Registrable {
	/** `acme.co.uk` of `mail.acme.co.uk`. */
	readonly domain: string;
	/** `acme`. */
	readonly name: string;
	/** `co.uk`. */
	readonly suffix: string;
}

/**
 * The registrable domain of a host name (A-labels), or null for a public suffix itself. Suffixes that companies offer
 * below their own names (`github.io`) are not registries: they answer no RDAP and have no age of their own.
 */
export function findRegistrable(host: string): Registrable | null {
	const { domain, domainWithoutSuffix, publicSuffix, isIp } = parse(host, { allowPrivateDomains: false });
	if (domain === null || domainWithoutSuffix === null || publicSuffix === null || isIp === true) return null;
	return { domain, name: domainWithoutSuffix, suffix: publicSuffix };
}

/** Whether the host belongs to whoever registered the domain. */
export function isSameRegistrable(host: string, domain: string): boolean {
	return (findRegistrable(host)?.domain ?? host) === (findRegistrable(domain)?.domain ?? domain);
}
