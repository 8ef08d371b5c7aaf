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
	const words = new ProxyWords();
	socket.on('data', (bytes: Uint8Array) => words.add(bytes));
	const patienceMs = Math.min(PROXY_TIMEOUT_MS, left());
	const mute = setTimeout(() => words.isAsked || socket.destroy(new Error(TIMED_OUT)), patienceMs);
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
		const isTimeout = String(error).includes(TIMED_OUT);
		if (isTimeout && !words.isAsked && patienceMs < PROXY_TIMEOUT_MS) return { kind: 'out_of_time' };
		return words.outcome(isTimeout);
	} finally {
		clearTimeout(mute);
	}
}

// As the package says it.
const TIMED_OUT = 'timed out';
// RFC 1928 §6: 4 and 5 are about the mail server, 3 and 6 about the path, 1, 2, 7 and 8 about what the proxy may or can.
const REJECTIONS: Readonly<Record<number, NoConnection>> = {
	3: 'unreachable',
	4: 'unreachable',
	5: 'refused',
	6: 'unreachable',
};
const VERSION = 5;
const NO_PASSWORD = 0;
const PASSWORD = 2;
const NO_METHOD = 0xff;
// The replies to method, password and CONNECT up to its code.
const OCTETS_MAX = 6;

/**
 * The words of a proxy, up to the code of its reply to CONNECT. The package's words for a failure do not tell a refusal from
 * text that no SOCKS server says, nor know a refusal that was cut short.
 */
class ProxyWords {
	#octets: readonly number[] = [];

	add(bytes: Uint8Array): void {
		if (this.#octets.length < OCTETS_MAX) this.#octets = [...this.#octets, ...bytes.subarray(0, OCTETS_MAX)];
	}

	/** It let us in, and knows where we want to go. */
	get isAsked(): boolean {
		return this.#octets.length >= this.#lettingIn;
	}

	/** RFC 1928 §3 and RFC 1929 §2: two octets choose the method, two more accept the password. */
	get #lettingIn(): number {
		return this.#octets[1] === PASSWORD ? 4 : 2;
	}

	/** Why there is no tunnel. */
	outcome(isTimeout: boolean): SocksOutcome {
		const [version, method, , passwordStatus] = this.#octets;
		if (version !== undefined && version !== VERSION) return { kind: 'fault', fault: 'nonsense' };
		if (method === NO_METHOD || !this.isAsked) return { kind: 'fault', fault: 'unavailable' };
		if (method !== NO_PASSWORD && method !== PASSWORD) return { kind: 'fault', fault: 'nonsense' };
		if (method === PASSWORD && passwordStatus !== 0) return { kind: 'fault', fault: 'unavailable' };
		const [replyVersion, code] = this.#octets.slice(this.#lettingIn);
		if (replyVersion !== undefined && replyVersion !== VERSION) return { kind: 'fault', fault: 'nonsense' };
		if (code !== undefined && code !== 0)
			return { kind: 'no_connection', why: REJECTIONS[code] ?? 'egress_cannot_reach' };
		// Closing instead of answering CONNECT is how small proxies say that they could not connect.
		return { kind: 'no_connection', why: isTimeout ? 'timeout' : 'egress_cannot_reach' };
	}
}
