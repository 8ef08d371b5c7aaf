import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Socks5Handshake } from '../../../src/net/socks5-handshake.ts';
import type { HandshakeFailure } from '../../../src/net/socks5-handshake.ts';

const CREDENTIALS = { username: 'ada', password: 'pä' };
const CONNECT_V4 = [5, 1, 0, 1, 192, 0, 2, 1, 0, 25];
const GRANTED_V4 = [5, 0, 0, 1, 10, 0, 0, 1, 4, 56];
const GRANTED_V6 = [5, 0, 0, 4, ...Array.from({ length: 16 }, () => 1), 4, 56];
const GRANTED_NAME = [5, 0, 0, 3, 3, 97, 46, 98, 4, 56];

interface Played {
	/** What we wrote, message by message. */
	said: number[][];
	outcome:
		| { kind: 'more' }
		| { kind: 'connected'; early: number[] }
		| { kind: 'failed'; failure: HandshakeFailure };
}

/** A proxy that says its messages one by one, each after we have said something, cut as told. */
function play(
	handshake: Socks5Handshake,
	messages: readonly (readonly number[])[],
	cut: (message: readonly number[]) => readonly (readonly number[])[] = (message) => [message],
): Played {
	const said = [[...handshake.start()]];
	for (const message of messages) {
		for (const piece of cut(message)) {
			const step = handshake.receive(Uint8Array.from(piece));
			if (step.kind === 'failed') return { said, outcome: step };
			if (step.kind === 'connected') return { said, outcome: { kind: 'connected', early: [...step.early] } };
			if (step.kind === 'more' && step.write.length > 0) said.push([...step.write]);
		}
	}
	return { said, outcome: { kind: 'more' } };
}

const open = (): Socks5Handshake => new Socks5Handshake(null, '192.0.2.1', 25);
const secret = (): Socks5Handshake => new Socks5Handshake(CREDENTIALS, '192.0.2.1', 25);

describe('a tunnel', () => {
	test('through a proxy that asks for nothing', () => {
		expect(play(open(), [[5, 0], GRANTED_V4])).toEqual({
			said: [[5, 1, 0], CONNECT_V4],
			outcome: { kind: 'connected', early: [] },
		});
	});

	test('through a proxy that asks who we are: the lengths count octets', () => {
		expect(play(secret(), [[5, 2], [1, 0], GRANTED_V4])).toEqual({
			said: [[5, 2, 2, 0], [1, 3, 97, 100, 97, 3, 112, 0xc3, 0xa4], CONNECT_V4],
			outcome: { kind: 'connected', early: [] },
		});
	});

	test('through a proxy that could ask and does not', () => {
		expect(play(secret(), [[5, 0], GRANTED_V4]).said).toEqual([[5, 2, 2, 0], CONNECT_V4]);
	});

	test('to an IPv6 address, and to a port of two octets', () => {
		const handshake = new Socks5Handshake(null, '2001:db8::1', 2525);
		const [, request] = play(handshake, [[5, 0]]).said;
		expect(request).toEqual([5, 1, 0, 4, 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 221]);
	});

	test('is never asked for by name', () => {
		expect(() => new Socks5Handshake(null, 'mx.x.test', 25)).toThrow('an address');
	});

	test.each([
		['IPv4', GRANTED_V4],
		['IPv6', GRANTED_V6],
		['a name', GRANTED_NAME],
		['an empty name', [5, 0, 0, 3, 0, 4, 56]],
	])('that the proxy reports with %s keeps what the mail server said meanwhile', (_, granted) => {
		const early = [50, 50, 48, 32];
		expect(
			play(open(), [
				[5, 0],
				[...granted, ...early],
			]).outcome,
		).toEqual({ kind: 'connected', early });
		expect(play(open(), [[5, 0], granted.slice(0, -1)]).outcome).toEqual({ kind: 'more' });
	});
});

describe('a proxy that is greeted before it is known where to', () => {
	test.each([
		['asks for nothing', null, [[5, 0]]],
		[
			'asks who we are',
			CREDENTIALS,
			[
				[5, 2],
				[1, 0],
			],
		],
	])('and %s waits to be told', (_, credentials, messages) => {
		const handshake = new Socks5Handshake(credentials);
		handshake.start();
		const steps = messages.map((message) => handshake.receive(Uint8Array.from(message)).kind);
		expect(steps.at(-1)).toBe('ready');
		expect([...handshake.ask('192.0.2.1', 25)]).toEqual(CONNECT_V4);
		expect(handshake.asked).toBe(true);
		expect(handshake.receive(Uint8Array.from(GRANTED_V4))).toMatchObject({ kind: 'connected' });
	});

	test('is not told before', () => {
		const handshake = new Socks5Handshake(null);
		handshake.start();
		expect(() => handshake.ask('192.0.2.1', 25)).toThrow('ready');
	});

	test('and speaks before it was told is no proxy', () => {
		const handshake = new Socks5Handshake(null);
		handshake.receive(Uint8Array.of(5, 0));
		expect(handshake.receive(Uint8Array.of(5))).toEqual({ kind: 'failed', failure: { kind: 'nonsense' } });
	});
});

describe('no tunnel', () => {
	test.each<[string, readonly (readonly number[])[], HandshakeFailure]>([
		['a web server', [[72, 84]], { kind: 'nonsense' }],
		['SOCKS4', [[0, 90]], { kind: 'nonsense' }],
		['no method of ours', [[5, 255]], { kind: 'credentials_refused' }],
		[
			'wrong credentials',
			[
				[5, 2],
				[1, 1],
			],
			{ kind: 'credentials_refused' },
		],
		[
			'nonsense after the request',
			[
				[5, 0],
				[4, 0],
			],
			{ kind: 'nonsense' },
		],
		[
			'a reply of unknown kind',
			[
				[5, 0],
				[5, 0, 0, 2, 0, 0],
			],
			{ kind: 'nonsense' },
		],
		[
			'a failure of the proxy',
			[
				[5, 0],
				[5, 1, 0, 1, 0, 0, 0, 0, 0, 0],
			],
			{ kind: 'reply', code: 1 },
		],
		[
			'a rule of the proxy',
			[
				[5, 0],
				[5, 2],
			],
			{ kind: 'reply', code: 2 },
		],
		[
			'unreachable',
			[
				[5, 0],
				[5, 4, 0, 1],
			],
			{ kind: 'reply', code: 4 },
		],
		[
			'refused',
			[
				[5, 0],
				[5, 5, 0, 1, 0, 0, 0, 0, 0, 0],
			],
			{ kind: 'reply', code: 5 },
		],
		[
			'a code of its own',
			[
				[5, 0],
				[5, 200],
			],
			{ kind: 'reply', code: 200 },
		],
	])('%s', (_, messages, failure) => {
		expect(play(secret(), messages).outcome).toEqual({ kind: 'failed', failure });
	});

	test('where the proxy wants credentials that we do not have', () => {
		expect(play(open(), [[5, 2]]).outcome).toEqual({
			kind: 'failed',
			failure: { kind: 'credentials_refused' },
		});
	});
});

test('waiting is waiting for the mail server only after the proxy was asked to connect', () => {
	const handshake = secret();
	handshake.start();
	expect(handshake.asked).toBe(false);
	handshake.receive(Uint8Array.of(5, 2));
	expect(handshake.asked).toBe(false);
	handshake.receive(Uint8Array.of(1, 0));
	expect(handshake.asked).toBe(true);
});

test('however the network cuts what the proxy says, the handshake goes the same way', () => {
	const conversations = fc.constantFrom<number[][]>(
		[
			[5, 0],
			[...GRANTED_V4, 50, 50],
		],
		[[5, 2], [1, 0], GRANTED_V6],
		[[5, 2], [1, 0], GRANTED_NAME],
		[
			[5, 2],
			[1, 1],
		],
		[
			[5, 0],
			[5, 5, 0, 1, 0, 0, 0, 0, 0, 0],
		],
	);
	fc.assert(
		fc.property(conversations, fc.nat({ max: 30 }), (messages, at) => {
			const whole = play(secret(), messages);
			const cut = play(secret(), messages, (message) => [message.slice(0, at), message.slice(at)]);
			const dripped = play(secret(), messages, (message) => message.map((octet) => [octet]));
			for (const other of [cut, dripped]) {
				expect(other.said).toEqual(whole.said);
				expect(other.outcome.kind).toBe(whole.outcome.kind);
			}
		}),
		{ numRuns: 60 },
	);
});

test('no proxy, whatever it says, makes us throw or say anything unexpected', () => {
	const ours = new Set([[5, 2, 2, 0], [1, 3, 97, 100, 97, 3, 112, 0xc3, 0xa4], CONNECT_V4].map(String));
	const octet = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 5, 255), fc.nat({ max: 255 }));
	fc.assert(
		fc.property(fc.array(fc.array(octet, { maxLength: 12 }), { maxLength: 8 }), (messages) => {
			const { said } = play(secret(), messages);
			for (const message of said) expect(ours).toContain(String(message));
		}),
		{ numRuns: 150 },
	);
});
