import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { dialTcp } from '../../src/prober/dial/dial-tcp.ts';
import { StreamConnection } from '../../src/prober/dial/stream-connection.ts';
import {
	clock,
	DEAD_PORT,
	hostilePort,
	LOOPBACK,
	makeDialer,
	makeDomain,
	odd,
	oddProxy,
	startDeafListener,
} from './peers.ts';
import { dialOver } from '../support/dial-over.ts';

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

	test('as the only proxy is our outage after five seconds', async () => {
		const dialled = dialOver(
			makeDialer(oddProxy('silent')),
			{ domain: makeDomain(), address: LOOPBACK },
			8_000,
		);
		await expect(dialled).rejects.toMatchObject({ code: 'upstream_unavailable' });
	});

	test('and takes no bytes costs five seconds a write', async () => {
		const socket = connect(hostilePort('neverReads'), LOOPBACK);
		await once(socket, 'connect');
		const connection = new StreamConnection(socket, '');
		const startedAt = clock.now();
		// More than all the buffers on the way can hold.
		await connection.write(new Uint8Array(32 * 1024 * 1024));
		expect(clock.now() - startedAt).toBeGreaterThan(4_000);
		void connection.close();
	});
});

describe('a connection that does not come about', () => {
	const to = { host: LOOPBACK, port: DEAD_PORT, secure: false };

	test('because nobody listens is refused at once', async () => {
		expect(await dialTcp(to, 4_000)).toEqual({ kind: 'no_connection', why: 'refused' });
	});

	test('because the host takes none costs the time given', async () => {
		const { port } = await startDeafListener();
		expect(await dialTcp({ ...to, port }, 300)).toEqual({ kind: 'no_connection', why: 'timeout' });
	});

	test('because the host never finishes TLS costs the time given', async () => {
		expect(await dialTcp({ ...to, port: odd.ports.silent, secure: true }, 300)).toEqual({
			kind: 'no_connection',
			why: 'timeout',
		});
	});

	test('because the host does not speak TLS is a failure', async () => {
		expect(await dialTcp({ ...to, port: hostilePort('hangsUp'), secure: true }, 4_000)).toEqual({
			kind: 'no_connection',
			why: 'unreachable',
		});
	});

	test.each(['no host', '[::1', 'a'.repeat(300)])(
		'because the host is none is a failure: %j',
		async (host) => {
			expect(await dialTcp({ ...to, host }, 4_000)).toEqual({ kind: 'no_connection', why: 'unreachable' });
		},
	);
});
