import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LOOPBACK, openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { startOddProxies } from '../../support/proxies/odd-proxies.ts';
import type { OddProxies } from '../../support/proxies/odd-proxies.ts';
import { eventually } from '../../support/patience.ts';

// These proxies run in the process that collects the results: a rejection that nobody handles would end it, and with it
// the results of every other test.

let behind: Listener;
let proxies: OddProxies;
const reached: Socket[] = [];
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(async () => {
	process.on('unhandledRejection', note);
	const server = createServer((socket) => {
		socket.on('error', () => undefined);
		reached.push(socket);
	});
	behind = await openListener(server);
	proxies = await startOddProxies(behind.port);
});
afterEach(() => {
	reached.length = 0;
	unhandled.length = 0;
});
afterAll(async () => {
	await proxies.close();
	await behind.close();
	process.off('unhandledRejection', note);
});

/** A client whose words came through the proxy that splits bytes to a server that says nothing. */
async function conversation(): Promise<{ client: Socket; server: Socket }> {
	const client = connect({ port: proxies.ports.splitsBytes, host: LOOPBACK });
	client.on('error', () => undefined);
	client.write('hello?');
	const server = await eventually(() => reached[0] ?? Promise.reject(new Error('nobody came')));
	await once(server, 'data');
	return { client, server };
}

test.each([
	['the client goes', ({ client }) => client.destroy()],
	['the client resets', ({ client }) => client.resetAndDestroy()],
	['the server resets', ({ server }) => server.resetAndDestroy()],
] satisfies [string, (sides: { client: Socket; server: Socket }) => unknown][])(
	'%s while the other side is silent: the proxy lets go of both sides, and nothing is thrown',
	async (_, hangUp) => {
		const sides = await conversation();
		const over = [sides.client, sides.server].map((socket) => once(socket, 'close'));
		hangUp(sides);
		await Promise.all(over);
		// Both ends are closed once the proxy's own sockets are; what that rejects is told at the end of the turn.
		await pause(0);
		expect(unhandled).toEqual([]);
	},
);
