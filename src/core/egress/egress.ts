import { fnv1a } from '../../lib/fnv1a.ts';

/** One way out to port 25, as configured. */
export interface Egress {
	readonly kind: 'direct' | 'socks5';
	/** For logs and health: no user, no password. */
	readonly label: string;
	/** Proxy address; empty for `direct`. */
	readonly host: string;
	readonly port: number;
	/** TLS to the proxy. */
	readonly secure: boolean;
	/** RFC 1929; null: the proxy asks for none. */
	readonly credentials: { readonly username: string; readonly password: string } | null;
	/** Own HELO name and envelope sender; null: the general ones. */
	readonly heloName: string | null;
	readonly mailFrom: string | null;
}

const SOCKS_PORT = 1080;

/**
 * Reads a list such as `socks5://user:pass@proxy.example:1080?helo=v1.example&from=v@example, direct`.
 * Throws an `Error` whose message names the mistake and no secret.
 */
export function parseEgressList(text: string): readonly Egress[] {
	const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
	return entries.map((entry, index) => parseEgress(entry, index + 1));
}

function parseEgress(entry: string, position: number): Egress {
	if (entry === 'direct' || entry.startsWith('direct?')) {
		const query = new URLSearchParams(entry.slice('direct?'.length));
		const own = ownIdentity(query, position);
		return { kind: 'direct', label: 'direct', host: '', port: 0, secure: false, credentials: null, ...own };
	}
	const url = URL.canParse(entry) ? new URL(entry) : null;
	if (url === null || (url.protocol !== 'socks5:' && url.protocol !== 'socks5s:') || url.hostname === '') {
		throw new Error(`entry ${position} is neither direct, socks5://host:port nor socks5s://host:port`);
	}
	if (url.username === '' && url.password !== '') {
		throw new Error(`entry ${position} has a password without a user name`);
	}
	// A `/` or `#` of a password that is not escaped ends the address: the rest would be taken for a host.
	if (!['', '/'].includes(url.pathname) || url.hash !== '') {
		throw new Error(`entry ${position} has more than an address: are user and password percent-encoded?`);
	}
	const port = url.port === '' ? SOCKS_PORT : Number(url.port);
	// IPv6 hosts stand in brackets in a URL and without them everywhere else.
	const host = decode(url.hostname, position).replace(/^\[|\]$/g, '');
	return {
		kind: 'socks5',
		label: `${url.protocol}//${url.hostname}:${port}`,
		host,
		port,
		secure: url.protocol === 'socks5s:',
		credentials: url.username === '' ? null : credentialsOf(url, position),
		...ownIdentity(url.searchParams, position),
	};
}

function ownIdentity(
	settings: URLSearchParams,
	position: number,
): { readonly heloName: string | null; readonly mailFrom: string | null } {
	if ([...settings.keys()].some((name) => name !== 'helo' && name !== 'from')) {
		throw new Error(`entry ${position} has settings other than helo and from`);
	}
	return { heloName: settings.get('helo'), mailFrom: settings.get('from') };
}

function credentialsOf(url: URL, position: number): NonNullable<Egress['credentials']> {
	const credentials = { username: decode(url.username, position), password: decode(url.password, position) };
	// RFC 1929 §2: one octet tells the length.
	const tooLong = Object.values(credentials).some((text) => new TextEncoder().encode(text).length > 255);
	if (tooLong) throw new Error(`entry ${position}: user name and password have at most 255 octets`);
	return credentials;
}

function decode(text: string, position: number): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new Error(`entry ${position} has a wrong percent-encoding`);
	}
}

/**
 * The egresses in the order in which a domain tries them. Rendezvous hashing: a domain keeps its first egress, so that
 * greylisting servers meet the same caller again, and one that is taken out moves only its own domains.
 */
export function orderForDomain(egresses: readonly Egress[], domain: string): readonly Egress[] {
	// Not the place in the list, which changes with the list: only egresses of one proxy need a number.
	const seen = new Map<string, number>();
	const weighed = egresses.map((egress) => {
		const number = seen.get(egress.label) ?? 0;
		seen.set(egress.label, number + 1);
		return { egress, weight: weightOf(`${domain} ${number} ${egress.label}`) };
	});
	return weighed.toSorted((a, b) => b.weight - a.weight).map(({ egress }) => egress);
}

/** With a final mix: similar names must not land together. */
function weightOf(text: string): number {
	const hash = fnv1a(text);
	const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return (mixed ^ (mixed >>> 13)) >>> 0;
}
