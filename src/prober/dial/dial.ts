import { connect, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Egress } from '../../core/egress/egress.ts';
import type { Clock } from '../../lib/time.ts';
import { addressBytes } from '../../lib/ip-address.ts';
import { within } from '../../lib/time.ts';
import { StreamConnection } from './stream-connection.ts';

/** Why a mail server could not be connected to: facts about its address, not about our egress. */
export type NoConnection = 'refused' | 'unreachable' | 'timeout' | 'egress_cannot_reach';

/**
 * The outcome of an attempt to connect. `fault`: the way out itself is broken, so the next one is tried; `nonsense`: it
 * answers what no SOCKS server says.
 */
export type Opened =
	| { readonly kind: 'connected'; readonly connection: StreamConnection }
	| { readonly kind: 'no_connection'; readonly why: NoConnection }
	| { readonly kind: 'fault'; readonly fault: keyof typeof FAULTS };

const TIMEOUT: Opened = { kind: 'no_connection', why: 'timeout' };
/** What is said of a way out. */
export const FAULTS = {
	unavailable: 'No outgoing connection for mail is available',
	nonsense: 'The outgoing mail proxy does not speak SOCKS5',
} as const;

// By the machine's own doing, not the mail server's.
const OWN_FAULTS: ReadonlySet<string> = new Set([
	'EADDRNOTAVAIL',
	'EADDRINUSE',
	'EMFILE',
	'ENFILE',
	'ENOBUFS',
	'EACCES',
	'EPERM',
]);

/** Opens a TCP connection and waits for it no longer than `limitMs`. It never throws. */
export async function dialTcp(
	{
		host,
		port,
		secure = false,
		from = '',
		hostName = '',
	}: {
		/** An address, or the name of a proxy of ours. */
		readonly host: string;
		readonly port: number;
		/** TLS from the first byte on, with the certificate checked: for proxies, not for mail servers. */
		readonly secure?: boolean;
		/** The source address; empty: the system chooses it. */
		readonly from?: string;
		/** The mail host's name, for SNI after STARTTLS. */
		readonly hostName?: string | undefined;
	},
	limitMs: number,
): Promise<Opened> {
	// A source address speaks its own family only.
	if (from !== '' && isIPv6(from) !== isIPv6(host))
		return { kind: 'no_connection', why: 'egress_cannot_reach' };
	const options = { host, port, ...(from === '' ? {} : { localAddress: from }) };
	const { promise, resolve } = Promise.withResolvers<Socket | Opened>();
	// RFC 6066 §3: no address as the server's name. The certificate is held against `host` all the same.
	const socket = secure
		? connectTls({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) }, () => resolve(socket))
		: connect(options, () => resolve(socket));
	socket.setNoDelay(true);
	// Its later errors are of no interest.
	socket.on('error', (error: NodeJS.ErrnoException) => resolve(whyFailed(error)));
	const outcome = await within(promise, limitMs);
	if (outcome === socket) return { kind: 'connected', connection: new StreamConnection(socket, hostName) };
	socket.destroy();
	return outcome === null || !('kind' in outcome) ? TIMEOUT : outcome;
}

function whyFailed({ code = '' }: NodeJS.ErrnoException): Opened {
	// The source address is not this machine's, or there are no sockets left.
	if (OWN_FAULTS.has(code)) return { kind: 'fault', fault: 'unavailable' };
	const why = code === 'ECONNREFUSED' ? 'refused' : code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
	return { kind: 'no_connection', why };
}

// Reaching our own proxy takes a round trip; more is an outage.
export const PROXY_TIMEOUT_MS = 5_000;

const UNAVAILABLE: Opened = { kind: 'fault', fault: 'unavailable' };
const NONSENSE: Opened = { kind: 'fault', fault: 'nonsense' };

// RFC 1928 §3 and RFC 1929 §2.
const VERSION = 5;
const NO_PASSWORD = 0;
const PASSWORD = 2;
const NO_METHOD = 0xff;
// RFC 1928 §6: 4 and 5 are about the mail server, 3 and 6 about the path, 1, 2, 7 and 8 about what the proxy may or can.
const REJECTIONS: Readonly<Record<number, NoConnection>> = {
	3: 'unreachable',
	4: 'unreachable',
	5: 'refused',
	6: 'unreachable',
};
// The octets of an address by its kind (RFC 1928 §5); of a name the first octet says how many.
const NAME = 3;
const ADDRESS_OCTETS: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

/**
 * Connects to a mail server by a way out: directly, or by a tunnel through a SOCKS5 proxy. Faults of the proxy and of the
 * mail server are kept apart; with less time than a proxy has, its silence is a timeout like any other.
 */
export async function dialBy(
	clock: Pick<Clock, 'now'>,
	{ kind, host, port, secure, credentials }: Egress,
	to: { readonly host: string; readonly port: number; readonly hostName: string | undefined },
	limitMs: number,
): Promise<Opened> {
	if (kind === 'direct') return dialTcp({ ...to, from: host }, limitMs);
	const deadline = clock.now() + limitMs;
	const proxyMs = Math.min(PROXY_TIMEOUT_MS, limitMs);
	const opened = await dialTcp({ host, port, secure, hostName: to.hostName }, proxyMs);
	if (opened.kind !== 'connected') {
		const isLate = opened.kind === 'no_connection' && opened.why === 'timeout';
		return isLate && proxyMs < PROXY_TIMEOUT_MS ? TIMEOUT : UNAVAILABLE;
	}
	const failed = await tunnel(clock, opened.connection, credentials, to, deadline);
	if (failed === null) return opened;
	void opened.connection.close();
	return failed;
}

/** Null: the connection leads to the mail server from here on. */
async function tunnel(
	clock: Pick<Clock, 'now'>,
	connection: StreamConnection,
	credentials: Egress['credentials'],
	{ host, port }: { readonly host: string; readonly port: number },
	deadline: number,
): Promise<Opened | null> {
	const take = async (count: number, until: number): Promise<Uint8Array | 'closed' | 'timeout'> => {
		let taken = Buffer.alloc(0);
		while (taken.length < count) {
			const read = await connection.read(until - clock.now());
			if (read.kind !== 'bytes') return read.kind;
			taken = Buffer.concat([taken, read.bytes]);
		}
		connection.unread(taken.subarray(count));
		return taken.subarray(0, count);
	};
	const patienceMs = Math.min(PROXY_TIMEOUT_MS, deadline - clock.now());
	const letInBy = clock.now() + patienceMs;
	const silent = (how: string): Opened =>
		how === 'timeout' && patienceMs < PROXY_TIMEOUT_MS ? TIMEOUT : UNAVAILABLE;
	const methods = credentials === null ? [NO_PASSWORD] : [NO_PASSWORD, PASSWORD];
	await connection.write(Uint8Array.of(VERSION, methods.length, ...methods));
	const chosen = await take(2, letInBy);
	if (typeof chosen === 'string') return silent(chosen);
	const [version, method] = chosen;
	if (version !== VERSION) return NONSENSE;
	if (method === PASSWORD && credentials !== null) {
		const words = [credentials.username, credentials.password].map((word) => Buffer.from(word));
		await connection.write(Uint8Array.of(1, ...words.flatMap((word) => [word.length, ...word])));
		const accepted = await take(2, letInBy);
		if (typeof accepted === 'string') return silent(accepted);
		if (accepted[1] !== 0) return UNAVAILABLE;
	} else if (method !== NO_PASSWORD)
		return method === NO_METHOD || method === PASSWORD ? UNAVAILABLE : NONSENSE;
	const octets = addressBytes(host) ?? [];
	await connection.write(
		Uint8Array.of(VERSION, 1, 0, octets.length === 4 ? 1 : 4, ...octets, port >> 8, port & 0xff),
	);
	const answer = await take(2, deadline);
	if (typeof answer === 'string') return unanswered(answer);
	const [replyVersion, code = 0] = answer;
	if (replyVersion !== VERSION) return NONSENSE;
	if (code !== 0) return { kind: 'no_connection', why: REJECTIONS[code] ?? 'egress_cannot_reach' };
	const bound = await take(3, deadline);
	if (typeof bound === 'string') return unanswered(bound);
	const [, kind = 0, first = 0] = bound;
	// One octet of the address is read already; the port has two.
	const left = kind === NAME ? first + 1 : ADDRESS_OCTETS[kind];
	if (left === undefined) return NONSENSE;
	const rest = await take(left + 1, deadline);
	return typeof rest === 'string' ? unanswered(rest) : null;
}

// Closing instead of answering CONNECT is how small proxies say that they could not connect.
function unanswered(how: string): Opened {
	return { kind: 'no_connection', why: how === 'timeout' ? 'timeout' : 'egress_cannot_reach' };
}
