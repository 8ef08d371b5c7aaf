import { connect, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { within } from '../../lib/time.ts';
import { StreamConnection } from './stream-connection.ts';

/** Why a mail server could not be connected to: facts about its address, not about our egress. */
export type NoConnection = 'refused' | 'unreachable' | 'timeout' | 'egress_cannot_reach';

/**
 * The outcome of an attempt to connect. `fault`: the way out itself is broken, so the next one is tried; `nonsense`: it
 * answers what no SOCKS server says. `out_of_time`: nothing is known of the way out nor of the mail server.
 */
export type Opened =
	| { readonly kind: 'connected'; readonly connection: StreamConnection }
	| { readonly kind: 'no_connection'; readonly why: NoConnection }
	| { readonly kind: 'fault'; readonly fault: 'unavailable' | 'nonsense' }
	| { readonly kind: 'out_of_time' };

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
	return outcome === null || !('kind' in outcome) ? { kind: 'no_connection', why: 'timeout' } : outcome;
}

function whyFailed({ code = '' }: NodeJS.ErrnoException): Opened {
	// The source address is not this machine's, or there are no sockets left.
	if (OWN_FAULTS.has(code)) return { kind: 'fault', fault: 'unavailable' };
	const why = code === 'ECONNREFUSED' ? 'refused' : code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
	return { kind: 'no_connection', why };
}
