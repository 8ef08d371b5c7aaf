import { FREE_DOMAINS } from './data/free-domains.ts';
import { lazySet } from './word-set.ts';

const freeDomains = lazySet(FREE_DOMAINS);

/**
 * Whether anybody can have a mailbox there: free mail, and the mail that comes with an Internet access.
 * The domain itself counts: what lives below gmail.com is not Gmail.
 */
export function isFreeProvider(domain: string): boolean {
	return freeDomains().has(domain.toLowerCase());
}
