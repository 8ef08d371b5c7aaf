import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { Egress } from '../../core/egress/egress.ts';
import type { Clock, NoConnection } from '../ports.ts';
import { dialTcp } from './dial-tcp.ts';

// Reaching our own proxy takes a round trip; more is an outage.
export const PROXY_TIMEOUT_MS = 5_000;

/** `fault`: the proxy itself is broken, so the next way out is tried. `out_of_time`: nothing is known of either. */
export type SocksOutcome =
	| { readonly kind: 'connected'; readonly socket: Socket }
	| { readonly kind: 'no_connection'; readonly why: NoConnection }
	| { readonly kind: 'fault'; readonly fault: 'unavailable' | 'nonsense' }
	| { readonly kind: 'out_of_time' };

/** A tunnel to a mail server through a SOCKS5 proxy. Faults of the proxy and of the mail server are kept apart. */
export async function dialSocks(
	clock: Clock,
	egress: Egress,
	to: { readonly address: string; readonly port: number },
	deadline: number,
): Promise<SocksOutcome> {
	const left = (): number => deadline - clock.now();
	const proxyMs = Math.min(PROXY_TIMEOUT_MS, left());
	const socket = await dialTcp({ ...egress, from: null }, proxyMs);
	if (typeof socket === 'string') {
		return socket === 'timeout' && proxyMs < PROXY_TIMEOUT_MS
			? { kind: 'out_of_time' }
			: { kind: 'fault', fault: 'unavailable' };
	}
	let heard = 0;
	socket.on('data', (bytes: Uint8Array) => (heard += bytes.length));
	// RFC 1928 §3 and RFC 1929 §2: two octets choose the method, two more accept the password.
	const isAsked = (): boolean => heard >= (egress.credentials === null ? 2 : 4);
	const mute = setTimeout(
		() => isAsked() || socket.destroy(new Error(MUTE)),
		Math.min(PROXY_TIMEOUT_MS, left()),
	);
	try {
		await SocksClient.createConnection({
			proxy: {
				host: egress.host,
				port: egress.port,
				type: 5,
				...(egress.credentials === null
					? {}
					: { userId: egress.credentials.username, password: egress.credentials.password }),
			},
			command: 'connect',
			destination: { host: to.address, port: to.port },
			existing_socket: socket,
			timeout: Math.max(1, left()),
		});
		socket.removeAllListeners('data');
		return { kind: 'connected', socket };
	} catch (error) {
		socket.on('error', () => {});
		socket.destroy();
		return outcomeOf(String(error instanceof Error ? error.message : error), isAsked());
	} finally {
		clearTimeout(mute);
	}
}

const MUTE = 'the proxy says nothing';

/** RFC 1928 §6: 4 and 5 are about the mail server, 3 and 6 about the path, 1, 2, 7 and 8 about what the proxy may or can. */
function outcomeOf(message: string, isAsked: boolean): SocksOutcome {
	const rejected = /rejected connection - (\w+)/.exec(message)?.[1];
	if (rejected !== undefined)
		return { kind: 'no_connection', why: REJECTIONS[rejected] ?? 'egress_cannot_reach' };
	if (/authentication|no accepted/i.test(message)) return { kind: 'fault', fault: 'unavailable' };
	if (/invalid|negotiation|unknown/i.test(message)) return { kind: 'fault', fault: 'nonsense' };
	if (!isAsked) return { kind: 'fault', fault: 'unavailable' };
	if (/timed out/i.test(message)) return { kind: 'no_connection', why: 'timeout' };
	// Closing instead of answering CONNECT is how small proxies say that they could not connect.
	return { kind: 'no_connection', why: 'egress_cannot_reach' };
}

const REJECTIONS: Readonly<Record<string, NoConnection>> = {
	NetworkUnreachable: 'unreachable',
	HostUnreachable: 'unreachable',
	ConnectionRefused: 'refused',
	TTLExpired: 'unreachable',
};
