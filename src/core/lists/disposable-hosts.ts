import { hasDomainOrParent, lazySet } from './domain-kinds.ts';

// Mail hosts that only disposable services use: each takes the mail of hundreds of domains of the public list
// disposable/disposable-email-domains (its statistics of 2026-11), and a report at disposable-email-domains (pull request
// 970, issues 588 and 1185 of 2026-09) or another project's look-up names it too. A host whose own domain is listed
// (mx.discard.email) needs no entry.
const hostDomains = lazySet(`
	wabblywabble.com wallywatts.com
	beavis99.com beavis99.net unstablemail.com rejecthost.com
	emlhub.com emltmp.com emlpro.com spymail.one freeml.net yomail.info dropmail.me
	generator.email emailfake.com tinyhost.shop
	discard.email mytemp.email mailinator.com in.mail.tm temporary-mail.net temp-mail.io 1secmail.com
	prd-smtp.10minutemail.com smtp.yopmail.com mx.moakt.com mailnesia.com trashymail.com
`);

// Addresses of mail.wabblywabble.com and mail.wallywatts.com (temp-mail.org), which its newest domains call by names of
// their own: the same statistics, and issue 1185 of 2026-09-21.
const hostAddresses = lazySet('142.132.166.12 188.166.111.252 116.202.9.167 46.101.111.206');

/** A mail host of a domain, with its IP addresses; none where they were not looked up. */
export interface NamedHost {
	readonly name: string;
	readonly addresses: readonly string[];
}

/** Whether the host takes mail for disposable services only, by its name or its address. */
export function isDisposableHost({ name, addresses }: NamedHost): boolean {
	return (
		hasDomainOrParent(hostDomains(), name.replace(/\.$/, '')) ||
		(addresses.length > 0 && addresses.every((address) => hostAddresses().has(address)))
	);
}
