import { describe, expect, test } from 'vitest';
import { SESSION_OCTETS_MAX } from '../../../src/core/smtp/limits.ts';
import { ReplyReader } from '../../../src/core/smtp/reply-reader.ts';

const encoder = new TextEncoder();

function read(...segments: readonly (string | Uint8Array)[]) {
	const reader = new ReplyReader();
	const replies = segments.flatMap((segment) =>
		reader.push(typeof segment === 'string' ? encoder.encode(segment) : segment),
	);
	return { replies, isFaulty: reader.isFaulty };
}

describe('a reply is', () => {
	test.each<[string, number, string | null, readonly string[]]>([
		['250 ok\r\n', 250, null, ['ok']],
		['250\r\n', 250, null, ['']],
		['250 \r\n', 250, null, ['']],
		['250-\r\n250\r\n', 250, null, ['', '']],
		['250-mx.test\r\n250-SIZE 10\r\n250 HELP\r\n', 250, null, ['mx.test', 'SIZE 10', 'HELP']],
		['550 bare line feed\n', 550, null, ['bare line feed']],
		['550-one\n550 two\r\n', 550, null, ['one', 'two']],
		['550-first code\r\n553 last code\r\n', 553, null, ['first code', 'last code']],
		['550 5.1.1 no such user\r\n', 550, '5.1.1', ['5.1.1 no such user']],
		['550 #5.1.0 Address rejected.\r\n', 550, '5.1.0', ['#5.1.0 Address rejected.']],
		['550-sorry\r\n550 5.7.1 no\r\n', 550, '5.7.1', ['sorry', '5.7.1 no']],
		['550-5.1.1 a\r\n550 5.7.1 b\r\n', 550, '5.1.1', ['5.1.1 a', '5.7.1 b']],
		['550 5.1.1.2 looks like an address\r\n', 550, null, ['5.1.1.2 looks like an address']],
		['550 5.1.1111 x\r\n', 550, null, ['5.1.1111 x']],
		['550 5.1111.1 x\r\n', 550, null, ['5.1111.1 x']],
		['550 see 5.1.1\r\n', 550, null, ['see 5.1.1']],
		['599 3.1.1 no such class\r\n', 599, null, ['3.1.1 no such class']],
	])('%j', (written, code, enhanced, lines) => {
		expect(read(written)).toEqual({ replies: [{ code, enhanced, lines }], isFaulty: false });
	});

	test('not complete before its last line has ended', () => {
		expect(read('250-mx.test\r\n250 HELP\r')).toEqual({ replies: [], isFaulty: false });
		expect(read('250-mx.test\r\n250 HELP\r', '\n').replies).toHaveLength(1);
	});

	test('readable where it holds bytes that are no UTF-8', () => {
		const bytes = Uint8Array.of(...encoder.encode('550 Bo'), 0xee, ...encoder.encode('te pleine\r\n'));
		expect(read(bytes).replies).toEqual([{ code: 550, enhanced: null, lines: ['Bo\uFFFDte pleine'] }]);
	});
});

describe('a server that speaks no SMTP is recognised by its first line', () => {
	test.each([
		'HTTP/1.1 400 Bad Request\r\n',
		'SSH-2.0-OpenSSH_9.6\r\n',
		'\r\n',
		'25 ok\r\n',
		'2500 ok\r\n',
		'250ok\r\n',
		'150 class 1\r\n',
		'650 class 6\r\n',
		' 250 ok\r\n',
		'\u0016\u0003\u0001\n',
	])('%j', (written) => {
		expect(read(written)).toEqual({ replies: [], isFaulty: true });
	});

	test('and nothing of it is read any more', () => {
		expect(read('220 mx.test\r\nnonsense\r\n250 ok\r\n', '250 ok\r\n')).toMatchObject({
			replies: [{ code: 220 }],
			isFaulty: true,
		});
	});
});

describe('limits', () => {
	test.each([
		['a conversation may have 64 KiB, of one line as well', SESSION_OCTETS_MAX, false],
		['and not one more', SESSION_OCTETS_MAX + 1, true],
	])('%s', (_, octets, isFaulty) => {
		expect(read(`250 ${'x'.repeat(octets - 5)}\n`).isFaulty).toBe(isFaulty);
	});

	test('the conversation is counted over all its replies', () => {
		const reader = new ReplyReader();
		const reply = encoder.encode('250 ok\r\n');
		let replies = 0;
		while (!reader.isFaulty && replies < SESSION_OCTETS_MAX) replies += reader.push(reply).length;
		expect([reader.isFaulty, replies]).toEqual([true, SESSION_OCTETS_MAX / reply.length]);
	});
});
