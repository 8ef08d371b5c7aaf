import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { LOOPBACK, openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';

/** What a proxy is told, in the order in which it is: RFC 1928 §3, RFC 1929 §2, RFC 1928 §4. */
export type ProxyMessage = 'method' | 'credentials' | 'connect';

export interface ProxySeen {
	/** Connections that are open now. */
	readonly open: number;
	readonly messages: readonly ProxyMessage[];
}

/** A SOCKS5 proxy with somebody before it who counts. */
export interface WatchedProxy extends Listener {
	seen(): ProxySeen;
	/** Hangs up on all who have not said where to. */
	hangUpOnIdle(): void;
	/** Ends every connection, and takes none until it is turned on. */
	turn(on: boolean): void;
}

interface Client {
	readonly socket: Socket;
	isTunnel: boolean;
}

/** Watches the proxy on `behindPort`. Whoever waits for each answer sends each message in a segment of its own. */
export async function startWatchedProxy(behindPort: number): Promise<WatchedProxy> {
	const clients = new Set<Client>();
	const messages: ProxyMessage[] = [];
	let isOn = true;
	const server = createServer({ noDelay: true }, (socket) => {
		socket.on('error', () => undefined);
		if (!isOn) return void socket.destroy();
		const client: Client = { socket, isTunnel: false };
		clients.add(client);
		const upstream = connect({ port: behindPort, host: LOOPBACK, noDelay: true });
		upstream.on('error', () => socket.destroy());
		socket.once('close', () => {
			clients.delete(client);
			upstream.destroy();
		});
		let told = 0;
		socket.on('data', (bytes) => {
			if (client.isTunnel) return;
			told += 1;
			const message = told === 1 ? 'method' : bytes[0] === 1 ? 'credentials' : 'connect';
			messages.push(message);
			client.isTunnel = message === 'connect';
		});
		socket.pipe(upstream).pipe(socket);
	});
	const listener = await openListener(server);
	return {
		...listener,
		seen: () => ({ open: clients.size, messages }),
		hangUpOnIdle() {
			for (const { socket, isTunnel } of clients) if (!isTunnel) socket.destroy();
		},
		turn(on) {
			isOn = on;
			if (!on) for (const { socket } of clients) socket.destroy();
		},
	};
}
