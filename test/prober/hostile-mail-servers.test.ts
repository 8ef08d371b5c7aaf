import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { converse } from '../support/converse.ts';
import { dialOver } from '../support/dial-over.ts';
import { clock, LOOPBACK, makeDialer, makeDomain, planFor } from './peers.ts';
import { startTcp } from './servers.ts';

const BUDGET_MS = 1_500;
// A busy machine is late; without a deadline, a silent server would keep us for many minutes.
const GRACE_MS = 60_000;
// What the sockets of two kernels and the runtime hold; the flood never ends.
const BUFFERED_OCTETS_MAX = 8 * 1024 * 1024;

/** A conversation that ends by its deadline, and the octets that its server could send until the connection was closed. */
async function suffer(play: (socket: Socket) => void | Promise<void>) {
	const { promise: sent, resolve: end } = Promise.withResolvers<number>();
	const server = await startTcp((socket) => {
		socket.once('close', () => end(socket.bytesWritten - socket.writableLength));
		// A pending wait of a play fails when its connection ends.
		void Promise.resolve(play(socket)).catch(() => {});
	});
	onTestFinished(() => server.close());
	const domain = makeDomain();
	const dialer = makeDialer('direct', { SMTP_PORT: server.port });
	const deadline = clock.now() + BUDGET_MS;
	const dialled = await dialOver(dialer, { domain, address: LOOPBACK }, BUDGET_MS);
	if (dialled.kind !== 'connected') throw new Error(`not connected: ${dialled.why}`);
	const report = await converse(clock, dialled.connection, planFor(`ada@${domain}`), deadline);
	expect(clock.now() - deadline, 'the deadline').toBeLessThan(GRACE_MS);
	expect(report.targets).toEqual([{ recipient: `ada@${domain}`, reply: null }]);
	return { report, sent: await sent };
}

test('by the deadline a conversation with a server that never answers is over, and the connection closed', async () => {
	const { report } = await suffer((socket) => void socket.resume());
	expect(report).toMatchObject({ end: { kind: 'timeout' }, stage: 'greeting' });
});

test('a conversation with a server that floods us with lines for ever is over at once', async () => {
	const { report, sent } = await suffer(async (socket) => {
		socket.write('220 mx.hostile.test\r\n');
		await once(socket, 'data');
		const lines = '250-PIPELINING\r\n'.repeat(4_096);
		while (!socket.destroyed) if (!socket.write(lines)) await once(socket, 'drain');
	});
	expect(report.end).toEqual({ kind: 'fault' });
	expect(JSON.stringify(report.exchanges).length).toBeLessThan(1_000);
	expect(sent).toBeLessThan(BUFFERED_OCTETS_MAX);
});

test('a conversation that a server resets in the middle of a reply is over at once: half a reply counts for nothing', async () => {
	const { report } = await suffer((socket) => {
		socket.write('220 mx.hostile.test\r\n');
		socket.on('data', (heard: Buffer) => {
			const line = heard.toString();
			if (line.startsWith('EHLO')) socket.write('250 mx.hostile.test\r\n');
			else if (line.startsWith('MAIL')) socket.write('250 Ok\r\n');
			else if (line.startsWith('RCPT')) socket.write('250 2.1', () => socket.resetAndDestroy());
		});
	});
	expect(report).toMatchObject({ end: { kind: 'closed' }, stage: 'rcpt' });
});
