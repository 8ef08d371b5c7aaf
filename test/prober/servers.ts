import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A TCP server on loopback for one test. */
export interface TestServer {
	readonly port: number;
	close(): Promise<void>;
}

/** Listens on any port of `host` and gives each connection to `serve`. */
export async function startTcp(serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<TestServer> {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
		serve(socket);
	});
	server.listen(0, host);
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
