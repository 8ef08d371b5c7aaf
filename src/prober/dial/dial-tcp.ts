import { connect, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { NoConnection } from '../ports.ts';
import { within } from './within.ts';

/** Where a TCP connection leads. */
export interface TcpTarget {
	/** An address, or the name of a proxy of ours. */
	readonly host: string;
	readonly port: number;
	/** TLS from the first byte on, with the certificate checked: for proxies, not for mail servers. */
	readonly secure: boolean;
	/** The source address; null: whatever the system chooses. */
	readonly from: string | null;
}

/** `no_source`: the way out itself is broken: the source address is not this machine's, or there are no sockets left. */
export type TcpOutcome = Socket | NoConnection | 'no_source';

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
export async function dialTcp({ host, port, secure, from }: TcpTarget, limitMs: number): Promise<TcpOutcome> {
	// A source address speaks its own family only.
	if (from !== null && host !== '' && isIPv6(from) !== isIPv6(host)) return 'egress_cannot_reach';
	const options = { host, port, ...(from === null ? {} : { localAddress: from }) };
	const { promise, resolve } = Promise.withResolvers<TcpOutcome>();
	// RFC 6066 §3: no address as the server's name. The certificate is held against `host` all the same.
	const socket = secure
		? connectTls({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) }, () => resolve(socket))
		: connect(options, () => resolve(socket));
	socket.setNoDelay(true);
	const failed = (error: NodeJS.ErrnoException): void => resolve(whyFailed(error));
	socket.once('error', failed);
	const outcome = await within(promise, limitMs);
	if (outcome === socket) {
		socket.off('error', failed);
		return socket;
	}
	// Its later errors are of no interest.
	socket.on('error', () => {});
	socket.destroy();
	return outcome;
}

function whyFailed({ code = '' }: NodeJS.ErrnoException): NoConnection | 'no_source' {
	if (code === 'ECONNREFUSED') return 'refused';
	if (code === 'ETIMEDOUT') return 'timeout';
	return OWN_FAULTS.has(code) ? 'no_source' : 'unreachable';
}
