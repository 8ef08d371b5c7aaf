import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SmtpReply } from '../../../src/core/smtp/reply-reader.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ALLOWED =
	/^(?:EHLO probe\.us\.test|HELO probe\.us\.test|MAIL FROM:<v@us\.test>(?: SMTPUTF8)?|RCPT TO:<[a-z0-9]+@x\.test>)$/;

const segment = fc.oneof(
	fc.constantFrom(
		'220 mx.test\r\n',
		'220-wait\r\n',
		'250 ok\r\n',
		'250-mx.test\r\n250-SMTPUTF8\r\n250 PIPELINING\r\n',
		'250-mx.test\r\n250 SIZE\r\n',
		'250 ok\r\n250 ok\r\n550 no\r\n',
		'500 what\r\n',
		'550 5.1.1 no\r\n',
		'421 bye\r\n',
		'354 go ahead\r\nRCPT TO:<evil@x.test>\r\n',
		'250 ok\nDATA\r\n',
	),
	fc.string({ maxLength: 12 }),
	fc.uint8Array({ maxLength: 20 }).map((bytes) => decoder.decode(bytes)),
);
const plan = fc
	.record({
		targets: fc.constantFrom(['ada@x.test'], ['ada@x.test', 'bob@x.test']),
		invented: fc.constantFrom([], ['r1@x.test'], ['r1@x.test', 'r2@x.test', 'r3@x.test']),
		needsSmtputf8: fc.boolean(),
		pipelining: fc.constantFrom('when_offered', 'never'),
	})
	.map(makePlan);

test('no server, whatever it says, makes us say anything but EHLO, HELO, MAIL and RCPT', () => {
	fc.assert(
		fc.property(plan, fc.array(segment, { maxLength: 12 }), (ours, segments) => {
			const session = new SmtpSession(ours);
			const writes: string[] = [];
			for (const text of segments) {
				const endedBefore = session.ended;
				const write = decoder.decode(session.receive(encoder.encode(text)));
				if (endedBefore || session.ended) expect(write).toBe('');
				if (write !== '') writes.push(write);
			}
			for (const write of writes) {
				const lines = write.split('\r\n');
				expect(lines.pop()).toBe('');
				for (const line of lines) expect(line).toMatch(ALLOWED);
				// RFC 2920 §3.1: EHLO is the last of its group. Ours are groups of one.
				if (lines.length > 1) expect(write).not.toMatch(/EHLO|HELO/);
			}
			expect(writes.filter((write) => write.startsWith('MAIL')).length).toBeLessThanOrEqual(1);
			session.giveUp('closed');
			const report = session.report();
			expect(report.targets.map(({ recipient }) => recipient)).toEqual(ours.targets);
		}),
		{ numRuns: 200 },
	);
});

test('whatever a server says in one breath is no answer to questions that it had not heard', () => {
	fc.assert(
		fc.property(plan, fc.array(segment, { maxLength: 12 }), (ours, segments) => {
			const session = new SmtpSession(ours);
			session.receive(encoder.encode(`220 mx.test\r\n${segments.join('')}`));
			session.giveUp('closed');
			const { targets, invented } = session.report();
			for (const { reply } of [...targets, ...invented]) expect(reply).toBeNull();
		}),
		{ numRuns: 200 },
	);
});

describe('a reply is cut where it is heard', () => {
	const hear = (target: string): SmtpReply | null => {
		const session = new SmtpSession(makePlan({ invented: [] }));
		for (const text of ['220 mx\r\n', '250 mx\r\n', '250 ok\r\n', target])
			session.receive(encoder.encode(text));
		return session.report().targets[0]?.reply ?? null;
	};
	const word = (length: number): string => 'w'.repeat(length);

	test.each<[string, string, readonly string[]]>([
		['three lines', '550-a\r\n550-b\r\n550 c\r\n', ['a', 'b', 'c']],
		['a line of 200', `550 ${word(200)}\r\n`, [word(200)]],
		[
			'four lines, of which the last tells most',
			'550-5.1.1 Verification failed\r\n550-Called: 192.0.2.1\r\n550-550 unknown user\r\n550 Sender verify failed\r\n',
			['5.1.1 Verification failed Called: 192.0.2.1 550 unknown user Sender verify failed'],
		],
		['a long line', `550 ${word(150)} ${word(150)} ${word(150)}\r\n`, [1, 2, 3].map(() => word(150))],
		['a long word', `550 ${word(500)}\r\n`, [word(200), word(200), word(100)]],
		['far too much', `550 ${word(2_000)}\r\n`, [word(200), word(200), word(200)]],
		['control characters', '550 no\tsuch\u0000user\u009b\r\n', ['no such?user?']],
	])('%s', (_, said, lines) => {
		expect(hear(said)?.lines.map((line) => line.trim())).toEqual(lines);
	});

	test('its status is read before', () => {
		const long = `550-${word(100)}\r\n`.repeat(8);
		expect(hear(`${long}550 5.1.1 no such user\r\n`)).toMatchObject({ code: 550, enhanced: '5.1.1' });
	});
});

test('no server, whatever it says, makes a long report or one that is not printable', () => {
	const text = fc.string({
		unit: fc.constantFrom('\u0001', '\u009b', '"', 'é', '-', 'w', ' '),
		maxLength: 900,
	});
	const lines = fc.array(text, { minLength: 1, maxLength: 12 });
	const reply = (code: number, all: readonly string[]): string =>
		all.map((line, at) => `${code}${at < all.length - 1 ? '-' : ' '}${line}\r\n`).join('');
	const codes = fc.constantFrom(220, 250, 421, 452, 550);
	fc.assert(
		fc.property(fc.array(fc.tuple(codes, lines), { maxLength: 6 }), (said) => {
			const session = new SmtpSession(makePlan());
			session.receive(encoder.encode('220 mx\r\n'));
			for (const [code, all] of said) session.receive(encoder.encode(reply(code, all)));
			session.giveUp('closed');
			const { end, targets, invented, exchanges } = session.report();
			const heard = [...targets, ...invented].map((one) => one.reply);
			const replies = [...heard, end.kind === 'refused' ? end.reply : null].filter((one) => one !== null);
			for (const one of replies) expect(one.lines.length).toBeLessThanOrEqual(3);
			for (const line of replies.flatMap((one) => one.lines)) expect(line.length).toBeLessThanOrEqual(200);
			for (const { text: line } of exchanges) expect(line.length).toBeLessThanOrEqual(600);
			expect(JSON.stringify({ replies, exchanges })).not.toMatch(/\p{Cc}|\\u00/u);
		}),
		{ numRuns: 200 },
	);
});
