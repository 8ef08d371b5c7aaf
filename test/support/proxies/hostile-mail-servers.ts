import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';

/** Hostile mail servers, and other hostile peers. */
export type HostileServerName =
	| 'floodsOneLine'
	| 'floodsReplies'
	| 'neverAnswers'
	| 'oneByteASecond'
	| 'endlessGreeting'
	| 'closesMidReply'
	| 'resetsMidReply'
	| 'invalidUtf8'
	| 'neverReads'
	| 'hangsUp';

/** The record of the connections to one server. */
export interface HostileRecord {
	readonly connections: number;
	/** Connections that have ended. */
	readonly ended: number;
	/** Bytes sent to clients, over all connections. */
	readonly bytesTaken: number;
	/** Text that the clients sent. */
	readonly heard: string;
}

type Play = (socket: Socket) => Promise<void> | void;

const FLOOD_OCTETS = 10 * 1024 * 1024;
const HEARD_MAX = 10_000;

const PLAYS: Readonly<Record<HostileServerName, Play>> = {
	async floodsOneLine(socket) {
		socket.write('220 ');
		const chunk = 'x'.repeat(65_536);
		for (let sent = 0; sent < FLOOD_OCTETS; sent += chunk.length) await write(socket, chunk);
	},
	/** Correct until EHLO; then an endless reply, as fast as possible. */
	async floodsReplies(socket) {
		socket.write('220 mx.hostile.test\r\n');
		await once(socket, 'data');
		const chunk = '250-PIPELINING\r\n'.repeat(4_096);
		while (!socket.destroyed) await write(socket, chunk);
	},
	neverAnswers() {},
	async oneByteASecond(socket) {
		for (const byte of new TextEncoder().encode('220 mx.hostile.test ESMTP\r\n')) {
			if (socket.destroyed) return;
			socket.write(Uint8Array.of(byte));
			await pause(1_000);
		}
	},
	/** An endless greeting of complete lines. */
	async endlessGreeting(socket) {
		while (!socket.destroyed) {
			socket.write('220-please wait\r\n');
			await pause(100);
		}
	},
	async closesMidReply(socket) {
		await speakUntilRecipient(socket);
		socket.end('250 2.1');
	},
	async resetsMidReply(socket) {
		await speakUntilRecipient(socket);
		socket.write('250 2.1');
		await pause(50);
		socket.resetAndDestroy();
	},
	invalidUtf8(socket) {
		socket.write(Uint8Array.of(...new TextEncoder().encode('220 '), 0xff, 0xc0, 0x80, 0xed, 0xa0, 13, 10));
		answerAll(socket, Uint8Array.of(...new TextEncoder().encode('550 5.1.1 '), 0xfe, 0xe9, 13, 10));
	},
	neverReads(socket) {
		socket.pause();
	},
	hangsUp(socket) {
		socket.end('bye');
	},
};

export interface HostileServers {
	readonly ports: Readonly<Record<HostileServerName, number>>;
	record(name: string): HostileRecord | null;
	close(): Promise<void>;
}

/** Starts them all. */
export async function startHostileServers(): Promise<HostileServers> {
	const records = new Map<
		string,
		{ connections: number; ended: number; bytesTaken: number; heard: string }
	>();
	const listeners: [string, Listener][] = [];
	for (const [name, play] of Object.entries(PLAYS)) {
		const record = { connections: 0, ended: 0, bytesTaken: 0, heard: '' };
		records.set(name, record);
		const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
			record.connections += 1;
			socket.on('error', () => {});
			if (name !== 'neverReads') {
				socket.on('data', (bytes: Buffer) => {
					if (record.heard.length < HEARD_MAX) record.heard += bytes.toString('latin1');
				});
			}
			socket.once('close', () => {
				record.ended += 1;
				record.bytesTaken += socket.bytesWritten - socket.writableLength;
			});
			// A pending wait of a play fails when its connection ends.
			void Promise.resolve(play(socket)).catch(() => {});
		});
		listeners.push([name, await openListener(server)]);
	}
	return {
		ports: Object.fromEntries(listeners.map(([name, { port }]) => [name, port])) as Record<
			HostileServerName,
			number
		>,
		record: (name) => records.get(name) ?? null,
		async close() {
			await Promise.all(listeners.map(([, listener]) => listener.close()));
		},
	};
}

async function write(socket: Socket, text: string): Promise<void> {
	if (socket.destroyed) throw new Error('the client left');
	if (!socket.write(text)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}

/** A correct server up to the point where it has heard RCPT. */
async function speakUntilRecipient(socket: Socket): Promise<void> {
	socket.write('220 mx.hostile.test\r\n');
	await new Promise<void>((resolve) => {
		hearLines(socket, (line) => {
			if (line.startsWith('RCPT')) resolve();
			else socket.write(line.startsWith('EHLO') ? '250-mx.hostile.test\r\n250 PIPELINING\r\n' : '250 Ok\r\n');
		});
	});
}

/** A correct server that has one answer to RCPT. */
function answerAll(socket: Socket, recipientReply: Uint8Array): void {
	hearLines(socket, (line) => {
		if (line.startsWith('QUIT')) socket.end('221 2.0.0 Bye\r\n');
		else socket.write(line.startsWith('RCPT') ? recipientReply : '250 2.0.0 Ok\r\n');
	});
}

function hearLines(socket: Socket, hear: (line: string) => void): void {
	let unfinished = '';
	socket.on('data', (bytes: Buffer) => {
		const lines = (unfinished + bytes.toString('latin1')).split('\r\n');
		unfinished = lines.pop() ?? '';
		for (const line of lines) if (!socket.writableEnded) hear(line);
	});
}
