import { hasDomainOrParent, lazySet } from './word-set.ts';

// Named by the services themselves. Addresses at icloud.com may be hidden ones too; nobody can tell.
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

/** Whether the address forwards to a real mailbox of one person who hides it: lasting, unlike a disposable one. */
export function isPrivacyRelay(domain: string): boolean {
	return hasDomainOrParent(relayDomains(), domain);
}
