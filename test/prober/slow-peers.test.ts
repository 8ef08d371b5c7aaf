import { describe, expect, test } from 'vitest';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import { DohResolver } from '../../../src/net/doh-resolver.ts';
import { SocketConnection } from '../../../src/net/socket-connection.ts';
import { clock, LOOPBACK, makeDialer, makeDomain, makeStoppedClock, oddProxy, peers } from './peers.ts';

// Each of these costs its whole patience, so they wait side by side.
describe.concurrent('a peer that is silent', { timeout: 20_000 }, () => {
	test('as a proxy is replaced by the next egress after five seconds', async () => {
		const dialer = makeDialer(`${oddProxy('silent')} direct`);
		const calls = Array.from({ length: 6 }, () =>
			dialer.dial({ domain: makeDomain(), address: LOOPBACK }, 8_000),
		);
		for (const dialled of await Promise.all(calls)) {
			expect(dialled).toMatchObject({ kind: 'connected', egress: 'direct' });
			if (dialled.kind === 'connected') dialled.connection.close();
		}
	});

	test('as the only proxy is our outage after five seconds', async () => {
		const dialled = makeDialer(oddProxy('silent')).dial({ domain: makeDomain(), address: LOOPBACK }, 8_000);
		await expect(dialled).rejects.toMatchObject({ code: 'upstream_unavailable' });
	});

	test('as a resolver is replaced by the next one after four seconds', async () => {
		const urls = ['silent', 'answers'].map((path) => `${peers.dohOrigin}/${path}/${crypto.randomUUID()}`);
		const resolver = new DohResolver(urls, new ExpiringMap(10), makeStoppedClock());
		expect(await resolver.addresses('mx1.example')).toEqual({ kind: 'records', records: ['192.0.2.1'] });
	});

	test('as the only resolver leaves the question open: the domain may be to blame', async () => {
		const url = `${peers.dohOrigin}/silent/${crypto.randomUUID()}`;
		const resolver = new DohResolver([url], new ExpiringMap(10), makeStoppedClock());
		expect(await resolver.mx('shop.example')).toEqual({ kind: 'failed', cause: 'timeout' });
	});

	test('and takes no bytes costs five seconds a write', async () => {
		const to = { host: LOOPBACK, port: peers.hostileServers.neverReads, secure: false };
		const connection = await SocketConnection.open(to, 2_000);
		if (!(connection instanceof SocketConnection)) throw new Error(`not connected: ${connection}`);
		const startedAt = clock.now();
		// More than all the buffers on the way can hold.
		await connection.write(new Uint8Array(32 * 1024 * 1024));
		expect(clock.now() - startedAt).toBeLessThan(8_000);
		connection.close();
	});
});
