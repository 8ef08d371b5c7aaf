import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';

/** The sandbox never listens anywhere else, so nothing of it can be reached from outside. */
export const LOOPBACK = '127.0.0.1';

/** An open port, and the way to end it together with everything that is connected to it. */
export interface Listener {
	readonly port: number;
	close(): Promise<void>;
}

/** Opens `server` on an address of the loopback interface (127/8 or ::1). Port 0 lets the system choose. */
export async function openListener(
	server: NetServer | Server,
	port = 0,
	address: `127.${string}` | '::1' = LOOPBACK,
): Promise<Listener> {
	const open = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	server.listen(port, address);
	await once(server, 'listening');
	const bound = server.address();
	if (bound === null || typeof bound === 'string') throw new Error('a TCP listener has a port');
	return {
		port: bound.port,
		async close() {
			if (!server.listening) return;
			const closed = once(server, 'close');
			server.close();
			// A server waits for its connections, and ours include ones that are silent on purpose.
			for (const socket of open) socket.destroy();
			await closed;
		},
	};
}
