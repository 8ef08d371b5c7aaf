import { FREE_DOMAINS } from './data/free-domains.ts';
import { lazySet } from './word-set.ts';

const freeDomains = lazySet(FREE_DOMAINS);

/**
 * Whether the domain offers mailboxes to the public: free mail, and the mail of Internet access providers.
 * Only the domain itself counts: a subdomain of gmail.com is not Gmail.
 */
export function isFreeProvider(domain: string): boolean {
	return freeDomains().has(domain.toLowerCase());
}
