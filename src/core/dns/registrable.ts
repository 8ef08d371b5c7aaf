import { parse } from 'tldts';

/**
 * The registrable domain of a host name (A-labels) by the public suffix list, `acme.co.uk` of `mail.acme.co.uk`; null for a
 * suffix itself. `isPrivate`: the suffix is a company's (`uk.com`, `github.io`), about whose customers' names public
 * registries have no data.
 */
export function findRegistrable(host: string) {
	const parsed = parse(host, { allowPrivateDomains: true });
	const { domain, publicSuffix: suffix } = parsed;
	if (domain === null || suffix === null || parsed.isIp === true) return null;
	return { domain, suffix, isPrivate: parsed.isPrivate === true };
}

/** Whether host and domain have the same registrable domain. */
export function isSameRegistrable(host: string, domain: string): boolean {
	return (findRegistrable(host)?.domain ?? host) === (findRegistrable(domain)?.domain ?? domain);
}
