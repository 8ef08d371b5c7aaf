import { hasDomainOrParent } from '../../lists/domain-kinds.ts';
import { isInBlock, parseAddressBlock } from '../../../lib/ip-address.ts';
import {
	MARKET_PLACES,
	PARKING_ALIASES,
	PARKING_BLOCKS,
	PARKING_NAME_SERVERS,
} from './data/parking-services.ts';

/** The kind of website that a domain has. */
export type WebsiteFinding =
	| 'own'
	| 'default_page'
	| 'for_sale'
	/** It leads to another domain. */
	| 'redirects'
	| 'unreachable';

// Default pages of web servers and hosting panels, before any content is published.
const DEFAULT_PAGES: readonly RegExp[] = [
	/<title>\s*welcome to nginx/i,
	/<title>\s*apache2? (?:\w+ )?default page/i,
	/<title>\s*test page for the (?:apache|nginx|http)/i,
	/<title>\s*iis(?: windows server|\d)/i,
	/<title>\s*(?:default (?:web ?site )?page|default parallels plesk|web server's default page|domain default page)/i,
	/<title>\s*index of \//i,
	/<title>\s*(?:welcome to (?:centos|caddy|openresty|litespeed)|it works!?)\s*</i,
	/<h1>\s*it works!\s*<\/h1>/i,
	/<title>\s*(?:site )?(?:under construction|coming soon)\s*</i,
	/<title>\s*(?:account|website|site) suspended/i,
	/\/cgi-sys\/(?:defaultwebpage|suspendedpage)\.cgi/i,
];

// Words and servers of parking pages. The words are used by domain sellers and not by shops.
const FOR_SALE: readonly RegExp[] = [
	/\b(?:this|the) domain(?: name)?(?: [\w.-]{1,80})? (?:is|may be) (?:available )?for sale\b/i,
	/\bbuy this domain\b/i,
	/\bdomain (?:is )?parked (?:free|courtesy|by|with)\b/i,
	/\bthis domain (?:has expired|is parked|name has expired)\b/i,
	/(?:sedoparking\.com|parkingcrew\.net|\/\/[\w.-]{0,40}bodis\.com|parklogic\.com|parking-lander|dan\.com\/buy-domain|hugedomains\.com\/domain_profile|afternic\.com\/forsale)/i,
	/window\.location\.href\s*=\s*["']\/lander["']/i,
];

// Bot walls hide the page, so it proves nothing.
const BOT_WALLS: readonly RegExp[] = [
	/<title>\s*(?:just a moment|attention required|access denied|pardon our interruption|one moment, please|checking your browser|robot check|ddos-guard|security check)/i,
	/(?:cf-chl-|challenge-platform|captcha-delivery\.com|_incapsula_resource|px-captcha|sgcaptcha|awswafintegration)/i,
];

/** The kind of a page, or null if there is nothing to judge by. `text` is at most 64 KB. */
export function readPage(text: string): 'own' | 'default_page' | 'for_sale' | null {
	if (BOT_WALLS.some((sign) => sign.test(text))) return null;
	if (FOR_SALE.some((sign) => sign.test(text))) return 'for_sale';
	if (DEFAULT_PAGES.some((sign) => sign.test(text))) return 'default_page';
	// An empty page proves nothing: perhaps only a script would have filled it.
	return /<(?:html|head|body|title|script|div|h1|p)\b/i.test(text) ? 'own' : null;
}

/** Whether a host sells domains. */
export function isMarketPlace(host: string): boolean {
	return hasDomainOrParent(MARKET_PLACES(), host);
}

const CONTACT = /contact|kontakt|impressum|imprint|legal-notice|mentions-legales|contatti|contacto|about-us/i;

/** The page on the same host that most likely lists addresses, or null. */
export function findContactPage(text: string, base: string): string | null {
	for (const [, href = ''] of text.matchAll(
		/<a\s[^>]{0,300}?href\s{0,3}=\s{0,3}["']([^"'<>\s]{1,300})["']/gi,
	)) {
		if (!CONTACT.test(href) || !URL.canParse(href, base)) continue;
		const { origin, pathname } = new URL(href, base);
		if (origin === new URL(base).origin && pathname !== '/') return origin + pathname;
	}
	return null;
}

const OUR_TOKEN = 'mailsonar';

/**
 * Whether robots.txt (RFC 9309) lets us fetch a page. Rules for our own token come before those for `*`. Time and memory
 * are linear in the text: npm robots-parser keeps each rule once an agent of its group, 10 million of them for 64 KB.
 */
export function isAllowedByRobots(text: string, url: string): boolean {
	const { pathname } = new URL(url);
	/** By agent, the length of the longest rule that matches; half a point more where it allows (RFC 9309 §2.2.2). */
	const longest = new Map([['*', 0]]);
	let agents = new Set<string>();
	let isInRules = false;
	for (const line of text.split(/[\r\n]+/)) {
		const [field = '', ...rest] = line.split('#', 1)[0]?.split(':') ?? [];
		const [name, value] = [field.trim().toLowerCase(), rest.join(':').trim()];
		if (name === 'user-agent') {
			if (isInRules) agents = new Set();
			isInRules = false;
			const agent = value.toLowerCase();
			if (agent !== OUR_TOKEN && agent !== '*') continue;
			agents.add(agent);
			longest.set(agent, longest.get(agent) ?? 0);
		} else if (name === 'allow' || name === 'disallow') {
			isInRules = true;
			if (agents.size === 0 || value === '' || !matches(value, pathname)) continue;
			const length = value.length + (name === 'allow' ? 0.5 : 0);
			for (const agent of agents) longest.set(agent, Math.max(longest.get(agent) ?? 0, length));
		}
	}
	const found = longest.get(OUR_TOKEN) ?? longest.get('*') ?? 0;
	return found === 0 || !Number.isInteger(found);
}

/** `*` matches anything, a final `$` the end of the path (RFC 9309 §2.2.3). Linear time for any pattern. */
function matches(pattern: string, path: string): boolean {
	const isAnchored = pattern.endsWith('$');
	const [first = '', ...others] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
	if (!path.startsWith(first)) return false;
	let at = first.length;
	for (const piece of others) {
		const found = path.indexOf(piece, at);
		if (found === -1) return false;
		at = found + piece.length;
	}
	if (!isAnchored || at === path.length) return true;
	const last = others.at(-1);
	return last !== undefined && path.endsWith(last) && path.length - last.length >= at - last.length;
}

/** The sign that a domain is parked, or `none`. */
export type ParkingFinding =
	| { readonly kind: 'none' }
	| { readonly kind: 'name_server' | 'address' | 'alias'; readonly sign: string };

/** Answers of the DNS; null: not answered, or the DNS failed. */
type Answered = readonly string[] | null;

/**
 * The strongest sign that a domain is parked. `none` only where all three questions were answered.
 *
 * @param aliases the CNAME targets of the domain's `www`
 */
export function readParking(
	nameServers: Answered,
	addresses: Answered,
	aliases: Answered,
): ParkingFinding | null {
	const server = nameServers?.find((host) => hasDomainOrParent(PARKING_NAME_SERVERS(), host));
	if (server !== undefined) return { kind: 'name_server', sign: server };
	const address = addresses?.find((one) => BLOCKS.some((block) => isInBlock(one, block)));
	if (address !== undefined) return { kind: 'address', sign: address };
	const alias = aliases?.find((host) => hasDomainOrParent(PARKING_ALIASES(), host));
	if (alias !== undefined) return { kind: 'alias', sign: alias };
	return nameServers === null || addresses === null || aliases === null ? null : { kind: 'none' };
}

const BLOCKS = PARKING_BLOCKS.map(parseAddressBlock).filter((block) => block !== null);
