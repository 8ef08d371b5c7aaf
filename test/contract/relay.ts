import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * What stands between the service and an upstream: it works, nobody listens, it hangs up at once, it never says a word,
 * or it answers whatever it is told with the same bytes.
 */
export type Condition = 'works' | 'closed' | 'hangs_up' | 'silent' | Uint8Array;

/** A port on loopback in front of an upstream, whose condition a test chooses. */
export interface Relay {
	readonly port: number;
	/** Connections it has taken. */
	readonly connections: number;
	become(condition: Condition): Promise<void>;
	close(): Promise<void>;
}

/** A web page where something else was expected: a captive portal, a wrong port. */
export const WEB_PAGE = Buffer.from(
	'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\nConnection: close\r\n\r\n<p>Hello!</p>',
);

export async function startRelay(upstreamPort: number): Promise<Relay> {
	let condition: Condition = 'works';
	const open = new Set<Socket>();
	const keep = (socket: Socket): void => {
		open.add(socket);
		// A peer that vanishes is an ordinary event here.
		socket.on('error', () => undefined).once('close', () => open.delete(socket));
	};
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		keep(socket);
		if (condition instanceof Uint8Array) {
			const bytes = condition;
			socket.once('data', () => socket.end(bytes));
		} else if (condition === 'works') {
			const upstream = connect(upstreamPort, '127.0.0.1');
			keep(upstream);
			socket.pipe(upstream).pipe(socket);
		} else if (condition === 'silent') socket.resume();
		else socket.destroy();
	});
	const listen = async (port: number): Promise<number> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const closeServer = async (): Promise<void> => {
		for (const socket of open) socket.destroy();
		if (!server.listening) return;
		server.close();
		await once(server, 'close');
	};
	const port = await listen(0);
	return {
		port,
		get connections() {
			return connections;
		},
		close: closeServer,
		async become(next) {
			condition = next;
			// Connections of the old condition must not live on.
			await closeServer();
			if (next !== 'closed') await listen(port);
		},
	};
}
