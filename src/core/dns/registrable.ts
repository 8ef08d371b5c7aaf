import { parse } from 'tldts';

/** A registrable domain, by the public suffix list. */
export interface Registrable {
	/** `acme.co.uk` of `mail.acme.co.uk`. */
	readonly domain: string;
	/** `co.uk`. */
	readonly suffix: string;
	/** The suffix is a company's (`uk.com`, `github.io`): public registries have no data about its customers' names. */
	readonly isPrivate: boolean;
}

/** The registrable domain of a host name (A-labels), or null for a public suffix itself. */
export function findRegistrable(host: string): Registrable | null {
	const parsed = parse(host, { allowPrivateDomains: true });
	const { domain, publicSuffix: suffix } = parsed;
	if (domain === null || suffix === null || parsed.isIp === true) return null;
	return { domain, suffix, isPrivate: parsed.isPrivate === true };
}

/** Whether host and domain have the same registrable domain. */
export function isSameRegistrable(host: string, domain: string): boolean {
	return (findRegistrable(host)?.domain ?? host) === (findRegistrable(domain)?.domain ?? domain);
}
