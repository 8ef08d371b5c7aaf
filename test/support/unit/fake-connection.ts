import type { Clock } from '../../../src/lib/time.ts';
import type { Connection } from '../../../src/prober/dial/egress-dialer.ts';
import type { FakeClock } from './fake-clock.ts';

/** Who we say that we are. */
export const US = { heloName: 'probe.us.test', mailFrom: 'v@us.test' };

/** A mail server at the other end of a connection. */
interface Server {
	/** Hears the lines of one write. Of a QUIT nothing is told. */
	readonly hear: (lines: readonly string[]) => void;
	/** How the handshake after STARTTLS ends; left out: it fails. */
	readonly secure?: Connection['secure'];
	/** It takes its time over a goodbye. */
	readonly close?: (() => Promise<void>) | undefined;
	/** How many replies a read returns; by default all. */
	readonly repliesPerRead?: number | undefined;
}

export type FakeConnection = ReturnType<typeof fakeConnection>;

/** A connection inside the test's process: what the server says is there when its time has come. */
export function fakeConnection(clock: Clock | FakeClock, server: Server) {
	const { hear, secure = () => Promise.resolve('failed' as const), repliesPerRead = Infinity } = server;
	/** Lines separated by ` | `. */
	const writes: string[] = [];
	/** What is still to be read; null: it hangs up. */
	const due: { readonly at: number; readonly reply: string | null }[] = [];
	const gone = new AbortController();
	let state: 'open' | 'closing' | 'closed' = 'open';
	const read: Connection['read'] = async (limitMs) => {
		if (state !== 'open') throw new Error('read after close');
		const dueMs = gone.signal.aborted ? 0 : (due[0]?.at ?? Infinity) - clock.now();
		const waitMs = Math.max(0, Math.min(limitMs, dueMs));
		if ('advance' in clock) clock.advance(waitMs);
		else if (waitMs > 0) await clock.sleep(waitMs, gone.signal);
		const later = due.findIndex(({ at, reply }) => at > clock.now() || reply === null);
		const ready = due.splice(0, Math.min(repliesPerRead, later < 0 ? due.length : later));
		const text = ready.map(({ reply }) => `${reply}\r\n`).join('');
		if (text !== '') return { kind: 'bytes', bytes: new TextEncoder().encode(text) };
		if (due[0]?.reply === null && due[0].at <= clock.now()) gone.abort();
		if (gone.signal.aborted) due.length = 0;
		return { kind: gone.signal.aborted ? 'closed' : 'timeout' };
	};
	return {
		read,
		secure,
		writes,
		get closed() {
			return state === 'closed';
		},
		/** All that the server said was read. */
		get isHeard() {
			return due.length === 0;
		},
		/** The server says this, so long after what it said before; null: it hangs up then. */
		say(reply: string | null, afterMs = 0): void {
			due.push({ at: Math.max(due.at(-1)?.at ?? 0, clock.now()) + afterMs, reply });
		},
		/** The server is gone, whatever it still had to say. */
		hangUp: () => gone.abort(),
		async write(bytes: Uint8Array): Promise<void> {
			if (state !== 'open') throw new Error('write after close');
			const lines = new TextDecoder().decode(bytes).split('\r\n');
			if (lines.pop() !== '') throw new Error('a line of ours does not end');
			writes.push(lines.join(' | '));
			hear(lines.filter((line) => line !== 'QUIT'));
		},
		async close(): Promise<void> {
			if (state !== 'open') return;
			state = 'closing';
			if (server.close !== undefined) await server.close();
			state = 'closed';
		},
	};
}

/** The round trip to a slow mail server. */
export const REPLY_MS = 100;

/**
 * A connection to a slow mail server: it takes a tenth of a second to reply to each write. After a 421 it hangs up.
 *
 * @param answer to a line of ours; empty: silence; null: it hangs up
 */
export function slowConnection(
	clock: Clock,
	answer: (line: string) => string | null,
	{ greeting = '220 mx.test ESMTP', close }: Pick<Server, 'close'> & { readonly greeting?: string },
): FakeConnection {
	const say = (text: string): void => {
		connection.say(text, REPLY_MS);
		if (/^421/m.test(text)) connection.say(null);
	};
	const hear = (lines: readonly string[]): void => {
		const replies: string[] = [];
		for (const line of lines) {
			const reply = answer(line);
			if (reply === null) connection.hangUp();
			else if (reply !== '') replies.push(reply);
			if (reply === null || reply.startsWith('421')) break;
		}
		if (replies.length > 0) say(replies.join('\r\n'));
	};
	const connection = fakeConnection(clock, { hear, close });
	say(greeting);
	return connection;
}
