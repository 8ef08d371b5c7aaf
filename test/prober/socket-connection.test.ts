import { expect, test, vi } from 'vitest';
import { SocketConnection } from '../../../src/net/socket-connection.ts';
import type { HostileRecord, HostileServerName } from '../../support/proxies/hostile-mail-servers.ts';
import { clock, LOOPBACK, peers, witnessed } from './peers.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function connected(name: HostileServerName): Promise<SocketConnection> {
	const to = { host: LOOPBACK, port: peers.hostileServers[name], secure: false };
	const opened = await SocketConnection.open(to, 2_000);
	if (opened instanceof SocketConnection) return opened;
	throw new Error(`not connected: ${opened}`);
}

/** Reads on until this much text is there. */
async function hear(connection: SocketConnection, text: string): Promise<void> {
	let heard = '';
	while (heard.length < text.length) {
		const read = await connection.read(2_000);
		if (read.kind !== 'bytes') throw new Error(`${read.kind} after ${heard}`);
		heard += new TextDecoder().decode(read.bytes);
	}
	expect(heard).toBe(text);
}

test('bytes that come after a read has timed out belong to the next read', async () => {
	const connection = await connected('saysLater');
	await connection.write(bytes('first'));
	expect(await connection.read(20)).toEqual({ kind: 'timeout' });
	expect(await connection.read(20)).toEqual({ kind: 'timeout' });
	await hear(connection, 'first');
	await connection.write(bytes('second'));
	expect(await connection.read(0)).toEqual({ kind: 'timeout' });
	await hear(connection, 'second');
	connection.close();
});

test('who has listened knows at once what was said meanwhile, and that nothing was', async () => {
	const connection = await connected('saysLater');
	connection.listen();
	expect(await connection.read(0)).toEqual({ kind: 'timeout' });
	await connection.write(bytes('first'));
	connection.listen();
	expect(await connection.read(0)).toEqual({ kind: 'timeout' });
	await hear(connection, 'first');
	connection.close();
});

test('who has listened is told that the peer hung up', async () => {
	const connection = await connected('hangsUp');
	connection.listen();
	await vi.waitFor(async () => expect(await connection.read(0)).toEqual({ kind: 'closed' }));
	connection.close();
});

test('a negative limit is no patience at all, not an endless one', async () => {
	const connection = await connected('neverAnswers');
	expect(await connection.read(-5)).toEqual({ kind: 'timeout' });
	connection.close();
});

test('bytes put back come first, once, and before what is still on its way', async () => {
	const connection = await connected('echoes');
	await connection.write(bytes('later'));
	connection.unread(bytes('early'));
	expect(await connection.read(0)).toEqual({ kind: 'bytes', bytes: bytes('early') });
	await hear(connection, 'later');
	connection.close();
});

test('putting nothing back is nothing', async () => {
	const connection = await connected('neverAnswers');
	connection.unread(new Uint8Array());
	expect(await connection.read(20)).toEqual({ kind: 'timeout' });
	connection.close();
});

test('bytes put back twice come in the order of the wire', async () => {
	const connection = await connected('neverAnswers');
	connection.unread(bytes('world'));
	connection.unread(bytes('hello '));
	await hear(connection, 'hello world');
	connection.close();
});

test('what a peer said before it hung up is heard, then that it is gone, again and again', async () => {
	const connection = await connected('hangsUp');
	await hear(connection, 'bye');
	expect(await connection.read(2_000)).toEqual({ kind: 'closed' });
	expect(await connection.read(2_000)).toEqual({ kind: 'closed' });
	connection.close();
});

test('writing to a peer that has gone neither throws nor waits', async () => {
	const connection = await connected('hangsUp');
	await hear(connection, 'bye');
	expect(await connection.read(2_000)).toEqual({ kind: 'closed' });
	const startedAt = clock.now();
	for (let write = 0; write < 5; write += 1) await connection.write(bytes('are you there?\r\n'));
	expect(clock.now() - startedAt).toBeLessThan(1_000);
	connection.close();
});

test('closing ends a read that is waiting', async () => {
	const connection = await connected('neverAnswers');
	const reading = connection.read(4_000);
	connection.close();
	expect(await reading).toEqual({ kind: 'closed' });
});

test('closing twice, and using what is closed, harms nobody', async () => {
	const connection = await connected('echoes');
	connection.close();
	connection.close();
	await connection.write(bytes('nobody hears this'));
	expect(await connection.read(1_000)).toEqual({ kind: 'closed' });
});

test('what was written right before closing arrives', async () => {
	const connection = await connected('neverAnswers');
	const farewell = `QUIT ${crypto.randomUUID()}`;
	await connection.write(bytes(`${farewell}\r\n`));
	connection.close();
	expect(await witnessed('heard', 'neverAnswers', farewell)).toBe(farewell);
});

test('a connection that was closed here is closed for the peer', async () => {
	const connection = await connected('echoes');
	connection.close();
	const { connections, ended } = await witnessed<HostileRecord>('hostile', 'echoes');
	expect(ended).toBe(connections);
});

test('a port where nobody listens is a failure, at once', async () => {
	const to = { host: LOOPBACK, port: peers.deadPort, secure: false };
	expect(await SocketConnection.open(to, 4_000)).toBe('failed');
});

test('a host that takes no connections costs the time given', async () => {
	const startedAt = clock.now();
	const opened = await SocketConnection.open({ host: LOOPBACK, port: peers.deafPort, secure: false }, 300);
	expect(opened).toBe('timeout');
	expect(clock.now() - startedAt).toBeLessThan(2_000);
});

test('a host that never finishes TLS costs the time given', async () => {
	const startedAt = clock.now();
	// Of its own: workerd gives up a handshake only when the whole request ends, whatever is closed before.
	const port = peers.oddProxies.silent;
	expect(await SocketConnection.open({ host: LOOPBACK, port, secure: true }, 300)).toBe('timeout');
	expect(clock.now() - startedAt).toBeLessThan(2_000);
});

test('a host that does not speak TLS is a failure', async () => {
	const port = peers.hostileServers.hangsUp;
	expect(await SocketConnection.open({ host: LOOPBACK, port, secure: true }, 4_000)).toBe('failed');
});

test.each(['', 'no host', '[::1', 'a'.repeat(300)])('a host that is none is a failure: %j', async (host) => {
	expect(await SocketConnection.open({ host, port: 25, secure: false }, 4_000)).toBe('failed');
});

test('an IPv6 address stands without brackets', async () => {
	// Nobody listens: that it is understood as an address shows in the refusal.
	expect(await SocketConnection.open({ host: '::1', port: peers.deadPort, secure: false }, 4_000)).toBe(
		'failed',
	);
});
