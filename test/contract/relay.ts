import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { LOOPBACK, openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';

/** What stands between the service and an upstream: it works, nobody listens, it never says a word, or it answers the same bytes. */
export type Condition = 'works' | 'closed' | 'silent' | Uint8Array;

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
	let connections = 0;
	// A peer that vanishes is an ordinary event here.
	const keep = (socket: Socket): Socket => socket.on('error', () => undefined);
	const listen = (port = 0): Promise<Listener> =>
		openListener(
			createServer((socket) => {
				connections += 1;
				keep(socket);
				if (condition instanceof Uint8Array) {
					const bytes = condition;
					socket.once('data', () => socket.end(bytes));
				} else if (condition === 'works') {
					const upstream = keep(connect(upstreamPort, LOOPBACK));
					socket.pipe(upstream).pipe(socket);
					socket.once('close', () => upstream.destroy());
				} else socket.resume();
			}),
			port,
		);
	let listener = await listen();
	const { port } = listener;
	return {
		port,
		get connections() {
			return connections;
		},
		close: () => listener.close(),
		async become(next) {
			condition = next;
			// Connections of the old condition must not live on.
			await listener.close();
			if (next !== 'closed') listener = await listen(port);
		},
	};
}
