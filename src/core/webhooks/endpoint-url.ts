import { isLoopbackHost } from '../../lib/ip-address.ts';
import { isSameRegistrable } from '../dns/registrable.ts';

export interface EndpointRules {
	/** The host of our own address; null: not configured. */
	readonly ownHost: string | null;
	/** On a developer's machine: http and any port of loopback too. */
	readonly allowsLoopback: boolean;
}

const URL_LENGTH_MAX = 2_048;
// Port 8443 is common for applications behind TLS. We allow no other, so that no URL leads us to services that are
// not HTTP.
const PORTS = new Set(['', '8443']);

/** The faults of a URL, as ends of a sentence about it. */
export const URL_FAULTS = {
	malformed: 'is not a URL',
	too_long: `is longer than ${URL_LENGTH_MAX} characters`,
	not_https: 'must begin with https://',
	credentials: 'must not contain a user name or password: the signature proves who sends',
	fragment: 'must not contain a #fragment, which is never sent',
	port: 'must use port 443 or 8443',
	address: 'must name a public host by its name, not by an IP address',
	own: 'must not lead back to this service',
} as const;
type UrlFault = keyof typeof URL_FAULTS;

export type JudgedUrl =
	| { readonly ok: true; readonly url: URL; readonly isLoopback: boolean }
	| { readonly ok: false; readonly fault: UrlFault };

/** Whether events may be sent to a URL, as far as its text tells. Its addresses are looked up before each delivery. */
export function judgeEndpointUrl(text: string, rules: EndpointRules): JudgedUrl {
	if (text.length > URL_LENGTH_MAX) return { ok: false, fault: 'too_long' };
	// The parser would remove white space and control characters.
	if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return { ok: false, fault: 'malformed' };
	const url = new URL(text);
	const isLoopback = rules.allowsLoopback && isLoopbackHost(url.hostname);
	const fault = faultOf(url, isLoopback, rules.ownHost);
	return fault === null ? { ok: true, url, isLoopback } : { ok: false, fault };
}

function faultOf(url: URL, isLoopback: boolean, ownHost: string | null): UrlFault | null {
	if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:')) return 'not_https';
	if (url.username !== '' || url.password !== '') return 'credentials';
	if (url.href.includes('#')) return 'fragment';
	if (isLoopback) return null;
	if (!PORTS.has(url.port)) return 'port';
	const host = hostOf(url);
	// The parser turns every form of IPv4 address into dotted decimals, which have no letters.
	if (!/[a-z]/.test(host) || host.startsWith('[') || !host.includes('.')) return 'address';
	return ownHost !== null && isSameRegistrable(host, ownHost) ? 'own' : null;
}

/** The host name of a URL for the look-up. */
export function hostOf({ hostname }: URL): string {
	return hostname.toLowerCase().replace(/\.$/, '');
}
