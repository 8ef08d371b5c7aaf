import type { Connection, Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { ReadResult } from '../../../src/prober/dial/stream-connection.ts';
import type { FakeClock } from './fake-clock.ts';

/** The behaviour of a modelled mail server. A limit that is left out does not apply. */
export interface ModelServer {
	/** Its reply to a recipient. */
	readonly says: (recipient: string) => string;
	readonly pipelining?: boolean;
	/** From this RCPT of a transaction on (counted from 0) it replies that there are too many. */
	readonly recipientsMax?: number;
	/** From this RCPT of a connection on it replies 421 and closes. */
	readonly recipientsPerConnection?: number;
	/** From this refused recipient on each reply takes a second; at twice the number it closes (Postfix). */
	readonly errorsMax?: number;
	/** A further RSET after this many is refused, and the connection closed (Exim). */
	readonly resetsMax?: number;
	readonly closesAfterRefusal?: boolean;
	/** It closes the connection instead of sending its nth RCPT reply, counted over all connections. */
	readonly closesAtReplies?: readonly number[];
	/** It does not reply to these recipients, nor to anything after them. */
	readonly silentAbout?: ReadonlySet<string>;
	/** It accepts at most this many connections. */
	readonly connectionsMax?: number;
	/** The time that it takes for each reply to RCPT. */
	readonly replyMs?: number;
	/** How many replies a read returns; by default all. */
	readonly repliesPerRead?: number;
}

/** The record of one connection. */
export interface Seen {
	/** Our writes, with lines separated by ` | `. */
	readonly writes: string[];
	/** RCPT commands by transaction. */
	readonly transactions: string[][];
	resets: number;
	/** The number of RCPT commands that the server refused so far. */
	errors: number;
}

/** A dialer with the same mail server at every address. */
export function modelDialer(clock: FakeClock, server: ModelServer): Dialer & { readonly seen: Seen[] } {
	const seen: Seen[] = [];
	const total = { replies: 0 };
	return {
		seen,
		egressesFor: () => ['socks5://egress.test:1080'],
		dial: () => {
			if (seen.length >= (server.connectionsMax ?? Number.POSITIVE_INFINITY))
				return Promise.resolve({ kind: 'no_connection', why: 'refused' });
			const connection = new ModelConnection(clock, server, total);
			seen.push(connection.seen);
			const identity = { heloName: 'probe.us.test', mailFrom: 'v@us.test' };
			return Promise.resolve({ kind: 'connected', connection, identity });
		},
	};
}

class ModelConnection implements Connection {
	readonly seen: Seen = { writes: [], transactions: [], resets: 0, errors: 0 };
	readonly #clock: FakeClock;
	readonly #server: ModelServer;
	readonly #total: { replies: number };
	#replies: { text: string; afterMs: number }[] = [{ text: '220 mx.x.test ESMTP', afterMs: 0 }];
	#recipients = 0;
	#inTransaction = 0;
	#state: 'open' | 'silent' | 'closed' = 'open';

	constructor(clock: FakeClock, server: ModelServer, total: { replies: number }) {
		this.#clock = clock;
		this.#server = server;
		this.#total = total;
	}

	read(limitMs: number): Promise<ReadResult> {
		const [first] = this.#replies;
		if (first === undefined && this.#state === 'closed') return Promise.resolve({ kind: 'closed' });
		if (first === undefined || first.afterMs > limitMs) {
			this.#clock.advance(limitMs);
			return Promise.resolve({ kind: 'timeout' });
		}
		this.#clock.advance(first.afterMs);
		this.#replies[0] = { ...first, afterMs: 0 };
		const slow = this.#replies.findIndex(({ afterMs }) => afterMs > 0);
		const count = Math.min(this.#server.repliesPerRead ?? Infinity, slow < 0 ? Infinity : slow);
		const ready = this.#replies.splice(0, Math.min(count, this.#replies.length));
		const text = ready.map((reply) => `${reply.text.replaceAll('\n', '\r\n')}\r\n`).join('');
		return Promise.resolve({ kind: 'bytes', bytes: new TextEncoder().encode(text) });
	}

	write(bytes: Uint8Array): Promise<void> {
		const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
		this.seen.writes.push(lines.join(' | '));
		for (const line of lines) {
			if (this.#state !== 'open') break;
			const text = this.#answer(line);
			const replyMs = line.startsWith('RCPT') ? (this.#server.replyMs ?? 0) : 0;
			if (text !== null) this.#replies.push({ text, afterMs: this.#isSlow() ? 1_000 : replyMs });
		}
		return Promise.resolve();
	}

	secure(): Promise<'failed'> {
		return Promise.resolve('failed');
	}

	close(): Promise<void> {
		this.#state = 'closed';
		return Promise.resolve();
	}

	#isSlow(): boolean {
		return this.seen.errors > (this.#server.errorsMax ?? Infinity);
	}

	#answer(line: string): string | null {
		const recipient = /^RCPT TO:<(.*)>$/.exec(line)?.[1];
		if (recipient !== undefined) return this.#rcpt(recipient);
		if (line.startsWith('EHLO'))
			return (this.#server.pipelining ?? true) ? '250-mx.x.test\n250 PIPELINING' : '250 mx.x.test';
		if (line === 'RSET') {
			this.seen.resets += 1;
			if (this.seen.resets <= (this.#server.resetsMax ?? Infinity)) return '250 2.0.0 flushed';
			this.#state = 'closed';
			return '554 Too many nonmail commands';
		}
		if (line.startsWith('MAIL')) {
			this.seen.transactions.push([]);
			this.#inTransaction = 0;
		}
		return '250 2.1.0 ok';
	}

	#rcpt(recipient: string): string | null {
		const { server, total } = { server: this.#server, total: this.#total };
		this.seen.transactions.at(-1)?.push(recipient);
		total.replies += 1;
		if (server.closesAtReplies?.includes(total.replies) ?? false) {
			this.#state = 'closed';
			return null;
		}
		if (server.silentAbout?.has(recipient) ?? false) {
			this.#state = 'silent';
			return null;
		}
		this.#recipients += 1;
		this.#inTransaction += 1;
		const reply = this.#replyTo(recipient);
		if (!reply.startsWith('2')) this.seen.errors += 1;
		if (reply.startsWith('421') || (server.closesAfterRefusal && reply.startsWith('5')))
			this.#state = 'closed';
		return reply;
	}

	#replyTo(recipient: string): string {
		const { recipientsPerConnection, recipientsMax, errorsMax, says } = this.#server;
		if (this.#recipients > (recipientsPerConnection ?? Infinity))
			return '421 4.7.0 closing, too many questions';
		if (this.seen.errors >= 2 * (errorsMax ?? Infinity)) return '421 4.7.0 too many errors';
		if (this.#inTransaction > (recipientsMax ?? Infinity)) return '452 4.5.3 Too many recipients';
		return says(recipient);
	}
}
