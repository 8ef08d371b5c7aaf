import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOPBACK, openListener } from '../../sandbox/listener.ts';

/** Proxies that are broken or slow, and servers that are no proxies at all. */
export type OddProxyName = keyof ReturnType<typeof makeOddProxies>;

const SUCCEEDED = [5, 0, 0, 1, 127, 0, 0, 1, 0, 25];

function makeOddProxies(behindPort: number) {
	return {
		http: createHttpServer((_request, response) => response.end('Welcome')),
		silent: serverFor(() => {}),
		closesAtOnce: serverFor((socket) => socket.end()),
		resets: serverFor((socket) => socket.resetAndDestroy()),
		// RFC 1928 §3: 0xff is "no acceptable methods".
		wantsPassword: serverFor((socket) => socket.once('data', () => socket.end(Uint8Array.of(5, 0xff)))),
		closesAfterConnect: socksServer((socket) => socket.end()),
		silentAfterConnect: socksServer(() => {}),
		dripsConnectReply: socksServer((socket) => void drip(socket)),
		// The last octet of the address asked for is the reply code.
		answersByAddress: socksServer((socket, request) =>
			socket.end(Uint8Array.of(5, request.at(-3) ?? 1, ...SUCCEEDED.slice(2))),
		),
		shortRefusal: socksServer((socket) => socket.end(Uint8Array.of(5, 5))),
		answersNonsense: socksServer((socket) => socket.end('550 5.7.1 go away\r\n')),
		// RFC 1928 §5 knows no address of the kind 0.
		namesNoAddress: socksServer((socket) => socket.write(new Uint8Array([5, 0, 0, 0, 255, 0, 0, 0, 0, 0]))),
		splitsBytes: serverFor((socket) => void relayByteByByte(socket, behindPort)),
	} satisfies Record<string, Server>;
}

/** Starts them all. `splitsBytes` is in front of the real proxy on `behindPort`. */
export async function startOddProxies(behindPort: number) {
	const servers = Object.entries(makeOddProxies(behindPort));
	const started = await Promise.all(
		servers.map(async ([name, server]) => [name, await openListener(server)] as const),
	);
	const ports = Object.fromEntries(started.map(([name, { port }]) => [name, port]));
	return {
		ports: ports as Record<OddProxyName, number>,
		async close(): Promise<void> {
			await Promise.all(started.map(([, listener]) => listener.close()));
		},
	};
}

function serverFor(serve: (socket: Socket) => void): Server {
	return createServer({ noDelay: true }, (socket) => {
		socket.on('error', () => {}); // Clients of these servers are expected to hang up.
		serve(socket);
	});
}

function socksServer(connectAsked: (socket: Socket, request: Uint8Array) => void): Server {
	return serverFor((socket) => shakeHands(socket, connectAsked));
}

/** Agrees to no authentication, then hands over the CONNECT request. */
function shakeHands(socket: Socket, connectAsked: (socket: Socket, request: Uint8Array) => void): void {
	socket.once('data', () => {
		socket.write(Uint8Array.of(5, 0));
		socket.once('data', (request: Buffer) => connectAsked(socket, request));
	});
}

/** The longest reply that RFC 1928 allows, a byte every 200 ms: 52 seconds. */
async function drip(socket: Socket): Promise<void> {
	for (const byte of [5, 0, 0, 3, 255, ...Array<number>(257).fill(97)]) {
		if (socket.destroyed) return;
		socket.write(Uint8Array.of(byte));
		await pause(200);
	}
}

/** Relays every byte from the proxy in a separate segment. Either side may close at any moment. */
async function relayByteByByte(client: Socket, port: number): Promise<void> {
	const upstream = connect({ port, host: LOOPBACK, noDelay: true });
	upstream.on('error', () => client.destroy());
	client.once('close', () => upstream.destroy());
	client.pipe(upstream);
	try {
		await once(upstream, 'connect');
		for await (const chunk of upstream as AsyncIterable<Buffer>) {
			for (const byte of chunk) {
				if (client.destroyed) return;
				client.write(Uint8Array.of(byte));
				// A turn of the event loop for each byte, or the system would merge them.
				await pause(1);
			}
		}
	} catch {
		// A stream that is destroyed early rejects its reader, and both sides have gone.
	}
	client.end();
}
