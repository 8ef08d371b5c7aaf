import { DISPOSABLE_DOMAINS } from './data/disposable-domains.ts';
import { FREE_DOMAINS } from './data/free-domains.ts';
import { hasDomainOrParent, lazySet } from './word-set.ts';

const freeDomains = lazySet(FREE_DOMAINS);

/**
 * Whether the domain offers mailboxes to the public: free mail, and the mail of Internet access providers.
 * Only the domain itself counts: a subdomain of gmail.com is not Gmail.
 */
export function isFreeProvider(domain: string): boolean {
	return freeDomains().has(domain.toLowerCase());
}

// As the services document. Addresses at icloud.com may be relays too, but look like any other.
const relayDomains = lazySet(`
	privaterelay.appleid.com
	duck.com
	mozmail.com relay.firefox.com
	simplelogin.com simplelogin.co simplelogin.fr simplelogin.io slmail.me slmails.com aleeas.com
	8shield.net 8alias.com dralias.com silomails.com
	passmail.net passmail.com passinbox.com passfwd.com
	addy.io anonaddy.com anonaddy.me addymail.com
	33mail.com sneakemail.com burnermail.io cloaked.id erine.email opayq.com
`);

/** Whether addresses of the domain forward to a person's hidden mailbox: they last, unlike disposable ones. */
export function isPrivacyRelay(domain: string): boolean {
	return hasDomainOrParent(relayDomains(), domain);
}

// Mailbox providers that some disposable list has named by mistake.
const MISTAKEN_PROVIDERS = ['royal.net', 'yandex.net'];
// Typing errors for a large provider, for which we suggest the right domain (typos.ts).
const MISSPELT_PROVIDERS = ['gmial.com', 'hotmial.com', 'hotmai.com'];

/** Domains that no list may call disposable. */
export const NEVER_DISPOSABLE: ReadonlySet<string> = new Set([...MISTAKEN_PROVIDERS, ...MISSPELT_PROVIDERS]);

const disposableDomains = lazySet(DISPOSABLE_DOMAINS);

/**
 * Whether the domain (A-labels) or one of its parents is a disposable mail service: such services hand out subdomains
 * by the thousand. Privacy relays are not disposable.
 */
export function isDisposable(domain: string): boolean {
	return isOnDisposableList(domain, disposableDomains());
}

/** The same, with a given list instead of the bundled one. */
export function isOnDisposableList(domain: string, domains: ReadonlySet<string>): boolean {
	return hasDomainOrParent(domains, domain);
}
