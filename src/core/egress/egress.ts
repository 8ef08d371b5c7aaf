import { isAddress } from '../../lib/ip-address.ts';

/** A way out to port 25, as configured. */
export interface Egress {
	readonly kind: 'direct' | 'socks5';
	/** For logs and health, without user name and password. */
	readonly label: string;
	/**
	 * The name by which mail operators know the way out: its source address, else its own HELO name, else the label.
	 * Warm-up, standing and budgets are stored under it.
	 */
	readonly source: string;
	/** The proxy's host; for `direct` the source address, empty if the system chooses it. */
	readonly host: string;
	readonly port: number;
	/** TLS to the proxy. */
	readonly secure: boolean;
	/** User name and password (RFC 1929); null: the proxy asks for none. */
	readonly credentials: { readonly username: string; readonly password: string } | null;
	/** A HELO name and an envelope sender of its own; null: the general ones. */
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
	const refused = (why: string): Error => new Error(`entry ${position} ${why}`);
	const decode = (part: string): string => {
		try {
			return decodeURIComponent(part);
		} catch {
			throw refused('has a wrong percent-encoding');
		}
	};
	const text = entry.replace(/^direct(?=\?|$)/, 'direct://');
	const url = URL.canParse(text) ? new URL(text) : null;
	const kind = url?.protocol === 'direct:' ? 'direct' : 'socks5';
	if (
		url === null ||
		!/^(?:direct|socks5s?):$/.test(url.protocol) ||
		(kind === 'socks5' && url.hostname === '')
	)
		throw refused('is none of direct, direct://source-address, socks5://host:port and socks5s://host:port');
	if (url.username === '' && url.password !== '') throw refused('has a password without a user name');
	// An unescaped `/` or `#` in a password ends the host part of the URL, so that the host would be wrong.
	if (!['', '/'].includes(url.pathname) || url.hash !== '')
		throw refused('has more than an address: are user and password percent-encoded?');
	if ([...url.searchParams.keys()].some((name) => name !== 'helo' && name !== 'from'))
		throw refused('has settings other than helo and from');
	// IPv6 hosts are in brackets in a URL, and without brackets everywhere else.
	const host = decode(url.hostname).replace(/^\[|\]$/g, '');
	const heloName = url.searchParams.get('helo');
	const common = { kind, host, heloName, mailFrom: url.searchParams.get('from') } as const;
	if (kind === 'direct') {
		if (`${url.username}${url.port}` !== '' || (host !== '' && !isAddress(host)))
			throw refused('has a source that is no address');
		const label = host === '' ? 'direct' : directSource(host);
		return { ...common, label, source: label, port: 0, secure: false, credentials: null };
	}
	const port = url.port === '' ? SOCKS_PORT : Number(url.port);
	const label = `${url.protocol}//${url.hostname}:${port}`;
	const [username = '', password = ''] = [url.username, url.password].map(decode);
	// RFC 1929 §2: the length of each is one octet.
	if ([username, password].some((word) => new TextEncoder().encode(word).length > 255))
		throw new Error(`entry ${position}: user name and password have at most 255 octets`);
	const credentials = username === '' ? null : { username, password };
	const secure = url.protocol === 'socks5s:';
	return { ...common, label, source: heloName?.toLowerCase() ?? label, port, secure, credentials };
}

/** The source name of a way out from this address. An IPv6 address can be written in many ways. */
export function directSource(address: string): string {
	return `direct://${address.includes(':') ? new URL(`http://[${address}]`).hostname : address}`;
}
