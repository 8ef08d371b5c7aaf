import { DISPOSABLE_DOMAINS } from './data/disposable-domains.ts';
import { hasDomainOrParent, lazySet } from './word-set.ts';

const bundled = lazySet(DISPOSABLE_DOMAINS);

/**
 * Whether the domain (A-labels) or one of its parents is a disposable mail service: such services hand out subdomains
 * by the thousand. Privacy relays are not disposable (privacy-relays.ts).
 */
export function isDisposable(domain: string): boolean {
	return isOnDisposableList(domain, bundled());
}

/** The same, by a given list instead of the bundled one. */
export function isOnDisposableList(domain: string, domains: ReadonlySet<string>): boolean {
	return hasDomainOrParent(domains, domain);
}
