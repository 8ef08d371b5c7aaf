import type { Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { FakeClock } from './fake-clock.ts';
import { fakeConnection, US } from './fake-connection.ts';
import type { FakeConnection } from './fake-connection.ts';

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
	readonly writes: readonly string[];
	/** RCPT commands by transaction. */
	readonly transactions: string[][];
	resets: number;
	/** The number of RCPT commands that the server refused so far. */
	errors: number;
}

/** A dialer with the same mail server at every address. */
export function modelDialer(clock: FakeClock, server: ModelServer): Dialer & { readonly seen: Seen[] } {
	const seen: Seen[] = [];
	let replies = 0;
	const nextReply = () => (replies += 1);
	return {
		seen,
		egressesFor: () => ['socks5://egress.test:1080'],
		dial: async () => {
			if (seen.length >= (server.connectionsMax ?? Infinity))
				return { kind: 'no_connection', why: 'refused' };
			const own: Omit<Seen, 'writes'> = { transactions: [], resets: 0, errors: 0 };
			const connection = connectionTo(clock, server, own, nextReply);
			seen.push(Object.assign(own, { writes: connection.writes }));
			return { kind: 'connected', connection, identity: US };
		},
	};
}

function connectionTo(
	clock: FakeClock,
	server: ModelServer,
	seen: Omit<Seen, 'writes'>,
	nextReply: () => number,
): FakeConnection {
	let state: 'open' | 'silent' | 'closed' = 'open';
	let asked = 0;

	/** Its reply to a command; null: it says nothing more. */
	const answer = (line: string): string | null => {
		const [, recipient] = /^RCPT TO:<(.*)>$/.exec(line) ?? [];
		if (recipient !== undefined) return answerAbout(recipient);
		if (line.startsWith('EHLO'))
			return (server.pipelining ?? true) ? '250-mx.x.test\r\n250 PIPELINING' : '250 mx.x.test';
		if (line.startsWith('MAIL')) seen.transactions.push([]);
		if (line !== 'RSET') return '250 2.1.0 ok';
		seen.resets += 1;
		if (seen.resets <= (server.resetsMax ?? Infinity)) return '250 2.0.0 flushed';
		state = 'closed';
		return '554 Too many nonmail commands';
	};
	const answerAbout = (recipient: string): string | null => {
		seen.transactions.at(-1)?.push(recipient);
		if (server.closesAtReplies?.includes(nextReply()) === true) state = 'closed';
		else if (server.silentAbout?.has(recipient) === true) state = 'silent';
		if (state !== 'open') return null;
		asked += 1;
		const reply = replyTo(recipient);
		if (!reply.startsWith('2')) seen.errors += 1;
		if (reply.startsWith('421') || (server.closesAfterRefusal && reply.startsWith('5'))) state = 'closed';
		return reply;
	};
	const replyTo = (recipient: string): string => {
		if (asked > (server.recipientsPerConnection ?? Infinity)) return '421 4.7.0 closing, too many questions';
		if (seen.errors >= 2 * (server.errorsMax ?? Infinity)) return '421 4.7.0 too many errors';
		const inTransaction = seen.transactions.at(-1)?.length ?? 0;
		if (inTransaction > (server.recipientsMax ?? Infinity)) return '452 4.5.3 Too many recipients';
		return server.says(recipient);
	};
	const hear = (lines: readonly string[]): void => {
		for (const line of lines) {
			if (state !== 'open') break;
			const text = answer(line);
			const usualMs = line.startsWith('RCPT') ? (server.replyMs ?? 0) : 0;
			const afterMs = seen.errors > (server.errorsMax ?? Infinity) ? 1_000 : usualMs;
			if (text !== null) connection.say(text, afterMs);
		}
		if (state === 'closed') connection.say(null);
	};
	const connection = fakeConnection(clock, { hear, repliesPerRead: server.repliesPerRead });
	connection.say('220 mx.x.test ESMTP');
	return connection;
}
