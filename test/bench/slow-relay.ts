import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { LOOPBACK } from '../sandbox/listener.ts';

/** A stretch of network on loopback. */
export interface SlowRelay {
	readonly port: number;
	close(): Promise<void>;
}

/** Leads to a port of this machine as if it were far away: every octet takes half of the round trip each way. */
export async function startSlowRelay(to: number, roundTripMs: number): Promise<SlowRelay> {
	const open = new Set<Socket>();
	const server = createServer({ noDelay: true }, (near) => {
		// Connecting takes a round trip as well: what comes before it is over waits.
		const far = connect({ host: LOOPBACK, port: to, noDelay: true });
		for (const [from, into] of [
			[near, far],
			[far, near],
		] as const) {
			open.add(from);
			from.on('data', (octets: Buffer) =>
				setTimeout(() => into.writable && into.write(octets), roundTripMs / 2),
			);
			from.on('end', () => setTimeout(() => into.end(), roundTripMs / 2));
			from.on('error', () => into.destroy());
			from.on('close', () => open.delete(from));
		}
	});
	server.listen(0, LOOPBACK);
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of open) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
