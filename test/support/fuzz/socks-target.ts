import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { dialSocks } from '../../../src/prober/dial/dial.ts';
import { LOOPBACK, openListener } from '../../sandbox/listener.ts';
import { mutated } from './target.ts';
import type { FuzzTarget } from './target.ts';

const PATIENCE_MS = 10_000;

/** A SOCKS5 proxy's words: a real proxy on loopback says the input at once, and closes. */
export const socks: FuzzTarget = {
	name: 'SOCKS5 replies',
	heavy: 100,
	input: mutated([
		Uint8Array.of(5, 0, 5, 0, 0, 1, 127, 0, 0, 1, 0, 25),
		Uint8Array.of(5, 2, 1, 0, 5, 0, 0, 3, 2, 97, 98, 0, 25),
		Uint8Array.of(5, 0, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0),
		Uint8Array.of(5, 0xff),
	]),
	read: async (input) => {
		const server = createServer((socket) => {
			socket.on('error', () => {});
			socket.resume();
			socket.end(input);
		});
		const listener = await openListener(server);
		try {
			const outcome = await dialSocks(
				{ now: () => Date.now(), sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)) },
				{
					kind: 'socks5',
					label: 'socks5',
					source: 'socks5',
					host: LOOPBACK,
					port: listener.port,
					secure: false,
					credentials: { username: 'u', password: 'p' },
					heloName: null,
					mailFrom: null,
				},
				{ host: '192.0.2.1', port: 25, hostName: '' },
				PATIENCE_MS,
			);
			if (outcome.kind !== 'connected') return;
			void outcome.connection.close();
			assert.equal(input[0], 5, 'only a SOCKS5 server makes a tunnel');
		} finally {
			await listener.close();
		}
	},
};
