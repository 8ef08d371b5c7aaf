import type { Egress } from '../core/egress/egress.ts';
import { assert } from '../lib/assert.ts';
import type { Clock, NoConnection } from '../engine/ports.ts';
import { Socks5Handshake } from './socks5-handshake.ts';
import type { HandshakeFailure } from './socks5-handshake.ts';
import { SocketConnection } from './socket-connection.ts';

/** `egress_fault`: the way out itself is broken, so the next one is tried. */
export type Attempt =
	| { readonly kind: 'connected'; readonly connection: SocketConnection }
	| { readonly kind: 'no_connection'; readonly why: NoConnection }
	| { readonly kind: 'egress_fault'; readonly fault: 'unavailable' | 'nonsense' }
	/** The caller's time ended before the way out had had its own: nothing is known of either. */
	| { readonly kind: 'out_of_time'; readonly why: 'timeout' };

/** A proxy that waits to be told where to. */
export interface Ready {
	readonly kind: 'ready';
	readonly connection: SocketConnection;
	readonly handshake: Socks5Handshake;
}

// Reaching our own proxy takes a round trip; more is an outage.
export const PROXY_TIMEOUT_MS = 5_000;

/** Until when something is waited for (epoch ms), whatever arrives in the meantime. */
interface Patience {
	/** With the proxy. */
	readonly proxy: number;
	/** With proxy and mail server together. */
	readonly all: number;
}

/** A SOCKS5 tunnel to a mail server. Faults of the proxy and of the mail server are kept apart. */
export async function tunnel(
	clock: Clock,
	egress: Egress,
	to: { address: string; port: number },
	deadline: number,
): Promise<Attempt> {
	const patience: Patience = { proxy: Math.min(clock.now() + PROXY_TIMEOUT_MS, deadline), all: deadline };
	const handshake = new Socks5Handshake(egress.credentials, to.address, to.port);
	const attempt = await begin(clock, egress, handshake, patience);
	assert(attempt.kind !== 'ready', 'a proxy that was told where to does not wait to be told');
	return attempt;
}

/** A proxy that has let us in, before it is known where to; null: it did not, for whatever reason, or the signal ended it. */
export async function prepareTunnel(
	clock: Clock,
	egress: Egress,
	signal: AbortSignal,
): Promise<Ready | null> {
	const limit = clock.now() + PROXY_TIMEOUT_MS;
	const patience = { proxy: limit, all: limit };
	const begun = await begin(clock, egress, new Socks5Handshake(egress.credentials), patience, signal);
	return begun.kind === 'ready' ? begun : null;
}

/** Goes on where `prepareTunnel` stopped; null: the proxy has lost patience or fails, which a new connection will tell. */
export async function finishTunnel(
	clock: Clock,
	{ connection, handshake }: Ready,
	to: { address: string; port: number },
	deadline: number,
): Promise<Attempt | null> {
	await connection.write(handshake.ask(to.address, to.port));
	const attempt = await shakeHands(clock, connection, handshake, { proxy: deadline, all: deadline });
	if (attempt.kind === 'connected') return attempt;
	connection.close();
	const isAboutHost = attempt.kind === 'no_connection' && attempt.why !== 'egress_cannot_reach';
	return isAboutHost ? attempt : null;
}

async function begin(
	clock: Clock,
	egress: Egress,
	handshake: Socks5Handshake,
	patience: Patience,
	signal?: AbortSignal,
): Promise<Attempt | Ready> {
	const connection = await SocketConnection.open(egress, patience.proxy - clock.now(), signal);
	if (!(connection instanceof SocketConnection))
		return connection === 'timeout' ? silence(patience) : { kind: 'egress_fault', fault: 'unavailable' };
	await connection.write(handshake.start());
	const attempt = await shakeHands(clock, connection, handshake, patience);
	if (attempt.kind !== 'connected' && attempt.kind !== 'ready') connection.close();
	return attempt;
}

async function shakeHands(
	clock: Clock,
	connection: SocketConnection,
	handshake: Socks5Handshake,
	patience: Patience,
): Promise<Attempt | Ready> {
	for (;;) {
		const read = await connection.read((handshake.asked ? patience.all : patience.proxy) - clock.now());
		if (read.kind === 'timeout' && handshake.asked) return { kind: 'no_connection', why: 'timeout' };
		if (read.kind === 'timeout') return silence(patience);
		// Closing instead of answering CONNECT is how small proxies say that they could not connect.
		if (read.kind === 'closed' && handshake.asked)
			return { kind: 'no_connection', why: 'egress_cannot_reach' };
		if (read.kind === 'closed') return { kind: 'egress_fault', fault: 'unavailable' };
		const step = handshake.receive(read.bytes);
		if (step.kind === 'failed') return attemptOf(step.failure);
		if (step.kind === 'ready') return { kind: 'ready', connection, handshake };
		if (step.kind === 'connected') {
			connection.unread(step.early);
			return { kind: 'connected', connection };
		}
		if (step.write.length > 0) await connection.write(step.write);
	}
}

/** A proxy said nothing for as long as it was given. */
function silence({ proxy, all }: Patience): Attempt {
	return proxy < all
		? { kind: 'egress_fault', fault: 'unavailable' }
		: { kind: 'out_of_time', why: 'timeout' };
}

/** RFC 1928 §6: 4 and 5 are about the mail server, 3 and 6 about the path, 1, 2, 7 and 8 about what the proxy may or can. */
function attemptOf(failure: HandshakeFailure): Attempt {
	if (failure.kind === 'nonsense') return { kind: 'egress_fault', fault: 'nonsense' };
	if (failure.kind === 'credentials_refused') return { kind: 'egress_fault', fault: 'unavailable' };
	switch (failure.code) {
		case 5:
			return { kind: 'no_connection', why: 'refused' };
		case 3:
		case 4:
		case 6:
			return { kind: 'no_connection', why: 'unreachable' };
		default:
			return { kind: 'no_connection', why: 'egress_cannot_reach' };
	}
}
