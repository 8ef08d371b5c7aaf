import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SecureVersion } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StreamConnection } from '../../src/prober/dial/stream-connection.ts';
import { LONG_EXPIRED, makeCertificate } from '../sandbox/certificate.ts';
import type { Certificate } from '../sandbox/certificate.ts';
import { startTcp } from './servers.ts';
import { dialTcp } from '../../src/prober/dial/dial.ts';
import { clock, DEAD_PORT, LOOPBACK, mail, makeDialer, makeDomain, odd, oddProxy } from './peers.ts';
import { dialOver } from '../support/dial-over.ts';

const text = (result: { kind: string; bytes?: Uint8Array }): string =>
	result.kind === 'bytes' ? Buffer.from(result.bytes ?? []).toString() : `(${result.kind})`;
const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);

/** A connection to a server that does this with its end of it. */
async function connected(serve: (socket: Socket) => void): Promise<StreamConnection> {
	const server = await startTcp(serve);
	onTestFinished(() => server.close());
	const socket = connect(server.port, '127.0.0.1');
	await once(socket, 'connect');
	return new StreamConnection(socket, 'mx.test');
}

describe('a plain connection', () => {
	test('silence is a timeout, and what comes later is not lost', async () => {
		let speak: Socket | null = null;
		const connection = await connected((socket) => (speak = socket));
		expect(text(await connection.read(20))).toBe('(timeout)');
		expect(text(await connection.read(0))).toBe('(timeout)');
		(speak as unknown as Socket).write('220 late\r\n');
		expect(text(await connection.read(5_000))).toBe('220 late\r\n');
		void connection.close();
	});

	test('a reset, and everything after our own end, reads as closed', async () => {
		const connection = await connected((socket) => socket.once('data', () => socket.resetAndDestroy()));
		await connection.write(bytes('EHLO probe.test\r\n'));
		expect(text(await connection.read(5_000))).toBe('(closed)');
		await connection.write(bytes('QUIT\r\n'));
		void connection.close();
		expect(text(await connection.read(5_000))).toBe('(closed)');
	});

	test('a read without patience tells what has come meanwhile, and that nothing or the end has', async () => {
		let peer: Socket | null = null;
		const connection = await connected((socket) => (peer = socket));
		expect(text(await connection.read(0))).toBe('(timeout)');
		expect(text(await connection.read(-5))).toBe('(timeout)');
		await expect.poll(() => peer).not.toBeNull();
		(peer as unknown as Socket).write('421 idle too long\r\n');
		await expect.poll(async () => text(await connection.read(0))).toBe('421 idle too long\r\n');
		(peer as unknown as Socket).end();
		await expect.poll(async () => text(await connection.read(0))).toBe('(closed)');
	});

	test('what a peer said before it hung up is heard, then that it is gone, again and again', async () => {
		const connection = await connected((socket) => socket.end('421 bye\r\n'));
		expect(text(await connection.read(5_000))).toBe('421 bye\r\n');
		for (const limitMs of [2_000, 2_000, 0]) expect(text(await connection.read(limitMs))).toBe('(closed)');
	});

	test('writing to a peer that is gone neither throws nor waits', async () => {
		const connection = await connected((socket) => socket.end());
		expect(text(await connection.read(2_000))).toBe('(closed)');
		const startedAt = performance.now();
		for (let write = 0; write < 5; write += 1) await connection.write(bytes('are you there?\r\n'));
		// Each write that waited would cost five seconds.
		expect(performance.now() - startedAt).toBeLessThan(5 * 5_000);
	});

	test('closing ends a read that waits, and is closing for the peer too', async () => {
		let peer: Socket | null = null;
		const connection = await connected((socket) => (peer = socket.resume()));
		const reading = connection.read(4_000);
		void connection.close();
		expect(text(await reading)).toBe('(closed)');
		await expect.poll(() => peer?.destroyed).toBe(true);
	});

	test('what was written right before closing arrives; closing twice harms nobody', async () => {
		let heard = '';
		const connection = await connected((socket) => socket.on('data', (octets) => (heard += String(octets))));
		await connection.write(bytes('QUIT\r\n'));
		void connection.close();
		void connection.close();
		await expect.poll(() => heard).toBe('QUIT\r\n');
	});

	test('a flood is stopped at the door until somebody reads', async () => {
		const flood = Buffer.alloc(8_000_000, 'x');
		let sent = 0;
		const connection = await connected((socket) => {
			socket.write(flood, () => (sent += flood.length));
		});
		const first = await connection.read(5_000);
		expect(first.kind === 'bytes' && first.bytes.length).toBeLessThan(1_000_000);
		expect(sent).toBe(0);
		void connection.close();
	});
});

describe('STARTTLS', () => {
	type Versions = readonly [least: SecureVersion, most: SecureVersion];
	const fresh = makeCertificate();
	const expired = makeCertificate(LONG_EXPIRED);

	/** Goes over to TLS when the client says STARTTLS, says `before` in plain text just before, and echoes from then on. */
	function securing(
		certificate: Certificate,
		[minVersion, maxVersion]: Versions = ['TLSv1.2', 'TLSv1.3'],
		before = '',
	) {
		const ciphers = 'DEFAULT@SECLEVEL=0';
		const secureContext = createSecureContext({ ...certificate, minVersion, maxVersion, ciphers });
		return (socket: Socket): void => {
			socket.once('data', () => {
				socket.write(`220 go\r\n${before}`, () => {
					const secure = new TLSSocket(socket, { isServer: true, secureContext });
					secure.on('error', () => {});
					secure.pipe(secure);
				});
			});
		};
	}

	async function asked(serve: (socket: Socket) => void): Promise<StreamConnection> {
		const connection = await connected(serve);
		await connection.write(bytes('STARTTLS\r\n'));
		expect(text(await connection.read(5_000))).toContain('220 go\r\n');
		return connection;
	}

	test.each<[string, Certificate, Versions]>([
		['TLS 1.3', fresh, ['TLSv1.3', 'TLSv1.3']],
		['TLS 1.2', fresh, ['TLSv1.2', 'TLSv1.2']],
		['an old server with TLS 1.0', fresh, ['TLSv1', 'TLSv1']],
		['an old server with TLS 1.1', fresh, ['TLSv1.1', 'TLSv1.1']],
		['an expired certificate', expired, ['TLSv1.2', 'TLSv1.3']],
	])('%s is good enough for a conversation', async (_, certificate, versions) => {
		const connection = await asked(securing(certificate, versions));
		expect(await connection.secure(5_000)).toBe('secured');
		await connection.write(bytes('EHLO probe.test\r\n'));
		expect(text(await connection.read(5_000))).toBe('EHLO probe.test\r\n');
		void connection.close();
		expect(text(await connection.read(0))).toBe('(closed)');
	});

	test('what came in plain text before the handshake is thrown away (CVE-2011-0411)', async () => {
		const connection = await asked(securing(fresh, undefined, '250 injected\r\n'));
		expect(await connection.secure(5_000)).toBe('secured');
		await connection.write(bytes('EHLO probe.test\r\n'));
		expect(text(await connection.read(5_000))).toBe('EHLO probe.test\r\n');
		void connection.close();
	});

	test.each<[string, (socket: Socket) => void, 'failed' | 'timeout']>([
		['hangs in the handshake', () => {}, 'timeout'],
		['hangs up in the handshake', (socket) => socket.destroy(), 'failed'],
		['answers the handshake in plain text', (socket) => socket.write('250 what?\r\n'), 'failed'],
	])('a server that %s has failed it', async (_, then, outcome) => {
		const connection = await asked((socket) => {
			socket.once('data', () => {
				socket.write('220 go\r\n');
				socket.once('data', () => then(socket));
			});
		});
		expect(await connection.secure(outcome === 'timeout' ? 100 : 5_000)).toBe(outcome);
		expect(text(await connection.read(0))).toBe('(closed)');
	});
});

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

	test('and takes no bytes costs five seconds a write', async ({ onTestFinished: atEnd }) => {
		const deaf = await startTcp((socket) => void socket.pause());
		atEnd(() => deaf.close());
		const socket = connect(deaf.port, LOOPBACK);
		await once(socket, 'connect');
		const connection = new StreamConnection(socket, '');
		const startedAt = clock.now();
		// More than all the buffers on the way can hold.
		await connection.write(new Uint8Array(32 * 1024 * 1024));
		expect(clock.now() - startedAt).toBeGreaterThan(4_000);
		void connection.close();
	});
});

const silent = { port: odd.ports.silent, secure: true };
const plain = { port: mail.port, secure: true };

test.each([
	['nobody listens', {}, 4_000, 'refused'],
	['the host never finishes TLS, within the time given', silent, 300, 'timeout'],
	['the host does not speak TLS', plain, 4_000, 'unreachable'],
	['the host has no name', { host: 'no host' }, 4_000, 'unreachable'],
	['the host is a broken address', { host: '[::1' }, 4_000, 'unreachable'],
	['the name is too long', { host: 'a'.repeat(300) }, 4_000, 'unreachable'],
] as const)('a connection does not come about where %s', async (_, to, limitMs, why) => {
	const opened = await dialTcp({ host: LOOPBACK, port: DEAD_PORT, secure: false, ...to }, limitMs);
	expect(opened).toEqual({ kind: 'no_connection', why });
});
