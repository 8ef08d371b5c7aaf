import { connect, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { within } from '../../lib/time.ts';
import type { NoConnection } from '../ports.ts';

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

/**
 * Opens a TCP connection and waits for it no longer than `limitMs`. It never throws. `no_source`: the way out itself is
 * broken: the source address is not this machine's, or there are no sockets left.
 */
export async function dialTcp(
	{
		host,
		port,
		secure,
		from,
	}: {
		/** An address, or the name of a proxy of ours. */
		readonly host: string;
		readonly port: number;
		/** TLS from the first byte on, with the certificate checked: for proxies, not for mail servers. */
		readonly secure: boolean;
		/** The source address; null: the system chooses it. */
		readonly from: string | null;
	},
	limitMs: number,
): Promise<Socket | NoConnection | 'no_source'> {
	// A source address speaks its own family only.
	if (from !== null && isIPv6(from) !== isIPv6(host)) return 'egress_cannot_reach';
	const options = { host, port, ...(from === null ? {} : { localAddress: from }) };
	const { promise, resolve } = Promise.withResolvers<Socket | NoConnection | 'no_source'>();
	// RFC 6066 §3: no address as the server's name. The certificate is held against `host` all the same.
	const socket = secure
		? connectTls({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) }, () => resolve(socket))
		: connect(options, () => resolve(socket));
	socket.setNoDelay(true);
	// Its later errors are of no interest.
	socket.on('error', (error: NodeJS.ErrnoException) => resolve(whyFailed(error)));
	const outcome = (await within(promise, limitMs)) ?? 'timeout';
	if (outcome !== socket) socket.destroy();
	return outcome;
}

function whyFailed({ code = '' }: NodeJS.ErrnoException): NoConnection | 'no_source' {
	if (code === 'ECONNREFUSED') return 'refused';
	if (code === 'ETIMEDOUT') return 'timeout';
	return OWN_FAULTS.has(code) ? 'no_source' : 'unreachable';
}
