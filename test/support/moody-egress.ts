import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** How a connection is treated: led to the real proxy, cut at once, or its CONNECT answered with code 1. */
export type Mood = 'works' | 'cut' | 'general_failure';

/** An egress whose behaviour the test chooses, in front of a SOCKS5 proxy with a password. */
export interface MoodyEgress {
	readonly url: string;
	/** Connections so far. */
	readonly connections: () => number;
	/** Sets the behaviour; `mood` is called with the number of each connection, from 1. */
	become(mood: (nth: number) => Mood): void;
	close(): Promise<void>;
}

// RFC 1928 §3 and §6, RFC 1929 §2: user and password, welcome, general SOCKS server failure.
const ANSWERS = [
	Uint8Array.of(5, 2),
	Uint8Array.of(1, 0),
	Uint8Array.of(5, 1, 0, 1, 0, 0, 0, 0, 0, 0),
] as const;

export async function startMoodyEgress(proxyUrl: string): Promise<MoodyEgress> {
	const url = new URL(proxyUrl);
	const { hostname, port } = url;
	const open = new Set<Socket>();
	let connections = 0;
	let mood: (nth: number) => Mood = () => 'works';
	const keep = (socket: Socket): void => {
		open.add(socket);
		// Peers that vanish are expected here.
		socket.on('error', () => undefined).once('close', () => open.delete(socket));
	};
	const server = createServer((socket) => {
		keep(socket);
		connections += 1;
		switch (mood(connections)) {
			case 'cut':
				socket.destroy();
				return;
			case 'general_failure':
				return refuse(socket);
			case 'works': {
				const upstream = connect(Number(port), hostname);
				keep(upstream);
				socket.pipe(upstream).pipe(socket);
			}
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url.port = String((server.address() as AddressInfo).port);
	return {
		url: url.href.replace(/\/$/, ''),
		connections: () => connections,
		become: (next) => void (mood = next),
		async close() {
			for (const socket of open) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

function refuse(socket: Socket): void {
	let said = 0;
	socket.on('data', () => {
		const answer = ANSWERS[said] ?? ANSWERS[2];
		said += 1;
		if (said < ANSWERS.length) socket.write(answer);
		else socket.end(answer);
	});
}
