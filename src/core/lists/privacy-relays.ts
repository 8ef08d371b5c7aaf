import { hasDomainOrParent, lazySet } from './word-set.ts';

// As documented by the services. Addresses at icloud.com may be relays, too, but can't be told apart.
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
