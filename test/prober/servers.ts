import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { LOOPBACK, openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';

/** Listens on any port of `host` and gives each connection to `serve`. */
export function startTcp(
	serve: (socket: Socket) => void,
	host: Parameters<typeof openListener>[2] = LOOPBACK,
): Promise<Listener> {
	return openListener(
		createServer((socket) => serve(socket.on('error', () => {}))),
		0,
		host,
	);
}
