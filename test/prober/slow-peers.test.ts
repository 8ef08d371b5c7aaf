import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { dialTcp } from '../../src/prober/dial/dial.ts';
import { StreamConnection } from '../../src/prober/dial/stream-connection.ts';
import { clock, DEAD_PORT, LOOPBACK, mail, makeDialer, makeDomain, odd, oddProxy } from './peers.ts';
import { dialOver } from '../support/dial-over.ts';
import { startTcp } from './servers.ts';

// Each of these costs its whole patience, so they wait side by side.
describe.concurrent('a peer that is silent', () => {
	test('as a proxy is replaced by the next way out after five seconds', async () => {
		const dialer = makeDialer(`${oddProxy('silent')} direct`);
		const calls = Array.from({ length: 6 }, () =>
			dialOver(dialer, { domain: makeDomain(), address: LOOPBACK }, 8_000),
		);
		for (const dialled of await Promise.all(calls)) {
			expect(dialled).toMatchObject({ kind: 'connected', egress: 'direct' });
			if (dialled.kind === 'connected') void dialled.connection.close();
		}
	});

	test('and takes no bytes costs five seconds a write', async ({ onTestFinished }) => {
		const server = await startTcp((socket) => void socket.pause());
		onTestFinished(() => server.close());
		const socket = connect(server.port, LOOPBACK);
		await once(socket, 'connect');
		const connection = new StreamConnection(socket, '');
		const startedAt = clock.now();
		// More than all the buffers on the way can hold.
		await connection.write(new Uint8Array(32 * 1024 * 1024));
		expect(clock.now() - startedAt).toBeGreaterThan(4_000);
		void connection.close();
	});
});

test.each([
	['because nobody listens is refused at once', {}, 4_000, 'refused'],
	[
		'because the host never finishes TLS costs the time given',
		{ port: odd.ports.silent, secure: true },
		300,
		'timeout',
	],
	[
		'because the host does not speak TLS is a failure',
		{ port: mail.port, secure: true },
		4_000,
		'unreachable',
	],
	['because the host has no name is a failure', { host: 'no host' }, 4_000, 'unreachable'],
	['because the host is a broken address is a failure', { host: '[::1' }, 4_000, 'unreachable'],
	['because the name is too long is a failure', { host: 'a'.repeat(300) }, 4_000, 'unreachable'],
] as const)('a connection that does not come about %s', async (_, to, limitMs, why) => {
	const opened = await dialTcp({ host: LOOPBACK, port: DEAD_PORT, secure: false, ...to }, limitMs);
	expect(opened).toEqual({ kind: 'no_connection', why });
});
