import { DISPOSABLE_DOMAINS } from './data/disposable-domains.ts';
import { hasDomainOrParent, lazySet } from './word-set.ts';

const bundled = lazySet(DISPOSABLE_DOMAINS);

/**
 * Whether the domain (A-labels) or one of its parents is a throw-away mail service: such services hand
 * out subdomains by the thousand. Privacy relays are none (privacy-relays.ts).
 *
 * @param domains a fresher list than the one in the bundle
 */
export function isDisposable(domain: string, domains: ReadonlySet<string> = bundled()): boolean {
	return hasDomainOrParent(domains, domain);
}
