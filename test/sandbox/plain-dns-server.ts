import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Counters } from './counters.ts';
import { answerQuestion } from './dns-answer.ts';
import type { Listener } from './listener.ts';
import { LOOPBACK } from './listener.ts';
import type { Zones } from './zone-lookup.ts';

/**
 * DNS over UDP (RFC 1035 §4.2.1) from a zone table, for programs that know no DNS over HTTPS.
 *
 * @param delayMs the round trip to it
 */
export async function startPlainDnsServer(
	zones: Zones,
	counters: Counters['dns'],
	delayMs: number,
): Promise<Listener> {
	const socket = createSocket('udp4');
	let isOpen = true;
	socket.on('message', (message, from) => {
		const answer = answerQuestion(zones, counters, message);
		if (answer.kind !== 'message') return;
		setTimeout(() => {
			if (isOpen) socket.send(answer.bytes, from.port, from.address);
		}, delayMs);
	});
	socket.bind(0, LOOPBACK);
	await once(socket, 'listening');
	return {
		port: socket.address().port,
		async close() {
			if (!isOpen) return;
			isOpen = false;
			const closed = once(socket, 'close');
			socket.close();
			await closed;
		},
	};
}
