import { DISPOSABLE_DOMAINS } from './data/disposable-domains.ts';
import { FREE_DOMAINS } from './data/free-domains.ts';
import { ROLE_NAMES } from './data/role-names.ts';

/**
 * A set of words that is built on first use. Each list is one string, because a Worker parses its whole
 * bundle at every cold start, and strings are the cheapest to parse.
 */
export function lazySet(text: string): () => ReadonlySet<string> {
	let set: ReadonlySet<string> | null = null;
	return () => (set ??= new Set(text.trim().split(/\s+/)));
}

/** Whether the set holds the domain or one of its parents. A top-level domain alone never matches. */
export function hasDomainOrParent(set: ReadonlySet<string>, domain: string): boolean {
	let rest = domain.toLowerCase();
	while (rest.includes('.')) {
		if (set.has(rest)) return true;
		rest = rest.slice(rest.indexOf('.') + 1);
	}
	return false;
}

const freeDomains = lazySet(FREE_DOMAINS);

/**
 * Whether the domain offers mailboxes to the public: free mail, and the mail of Internet access providers.
 * Only the domain itself counts: a subdomain of gmail.com is not Gmail.
 */
export function isFreeProvider(domain: string): boolean {
	return freeDomains().has(domain.toLowerCase());
}

// As the services document, a line each. Addresses at icloud.com may be relays too, but look like any other.
const RELAYS = `
	privaterelay.appleid.com private.icloud.com
	duck.com
	mozmail.com relay.firefox.com
	simplelogin.com simplelogin.co simplelogin.fr simplelogin.io slmail.me slmails.com aleeas.com 8shield.net 8alias.com dralias.com silomails.com
	passmail.net passmail.com passinbox.com passfwd.com
	addy.io anonaddy.com anonaddy.me addymail.com
	33mail.com
	sneakemail.com
	burnermail.io
	cloaked.id
	erine.email
	opayq.com
`;
const relays = RELAYS.trim()
	.split('\n')
	.map((line) => new Set(line.trim().split(' ')));

/** The privacy relay that a domain belongs to, by the first of its domains; null: to none. */
export function privacyRelayOf(domain: string): string | null {
	const [first = null] = relays.find((domains) => hasDomainOrParent(domains, domain)) ?? [];
	return first;
}

/** Whether addresses of the domain forward to a person's hidden mailbox: they last, unlike disposable ones. */
export function isPrivacyRelay(domain: string): boolean {
	return privacyRelayOf(domain) !== null;
}

/** Domains that no list may call disposable. */
export const NEVER_DISPOSABLE: ReadonlySet<string> = new Set([
	// Mailbox providers that some disposable list has named by mistake.
	...'royal.net yandex.net sify.com 21cn.com mail333.com mail.by spamarrest.com'.split(' '),
	// Typing errors for a large provider, for which we suggest the right domain (typos.ts).
	...'gmial.com hotmial.com hotmai.com'.split(' '),
	...relays.flatMap((domains) => [...domains]),
]);

const disposableDomains = lazySet(DISPOSABLE_DOMAINS);

/**
 * Whether the domain (A-labels) or one of its parents is a disposable mail service: such services hand out subdomains
 * by the thousand. Privacy relays are not disposable.
 */
export function isDisposable(domain: string): boolean {
	return hasDomainOrParent(disposableDomains(), domain);
}

/** The local part without quotes and plus tag, in lower case: how most servers compare it. */
export function mailboxName(localPart: string): string {
	const bare = localPart.startsWith('"') ? localPart.slice(1, -1) : localPart;
	const plus = bare.indexOf('+');
	return (plus > 0 ? bare.slice(0, plus) : bare).toLowerCase();
}

const roleNames = lazySet(ROLE_NAMES);

/** Whether the local part names a function rather than a person (RFC 2142 names the first fifteen). */
export function isRole(localPart: string): boolean {
	return roleNames().has(mailboxName(localPart));
}

// The phrase must stand between separators: `news-noreply` and `no.reply2` match, `noreplyson` does not.
const NO_REPLY = new RegExp(
	String.raw`(?:^|[-_.])(?:${[
		String.raw`no[-_.]?(?:repl(?:y|ies)|replay|response|mail|email)`,
		String.raw`(?:do[-_.]?not|don'?t|dont|never|not)[-_.]?(?:reply|respond)`,
		String.raw`(?:mailer|mail)[-_.]?daemon`,
		String.raw`(?:auto[-_.]?(?:reply|responder|response|confirm|notify))`,
		String.raw`unattended|unmonitored|not[-_.]?monitored|devnull|dev[-_.]null|undisclosed-recipients`,
		String.raw`ne[-_.]?pas[-_.]?repondre|no[-_.]?respond(?:er|a)|n[aã]o[-_.]?respond(?:er|a)`,
		String.raw`nicht[-_.]?antworten|keine[-_.]?antwort|non[-_.]?rispondere|niet[-_.]?(?:be)?antwoorden|nepasrepondre`,
	].join('|')})(?:$|[-_.]|\d+$)`,
);

/** Whether a local part says that the mailbox is not read (`noreply`, `mailer-daemon`), in some languages. */
export function isNoReply(localPart: string): boolean {
	return NO_REPLY.test(mailboxName(localPart));
}

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
