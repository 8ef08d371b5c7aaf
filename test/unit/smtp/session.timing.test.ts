import { describe, expect, test } from 'vitest';
import { COMMAND_TIMEOUT_MS, DETAIL_TIMEOUT_MS, GREETING_TIMEOUT_MS } from '../../../src/core/smtp/limits.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { asks, greeted, playDialogue, playInSegments, say } from '../../support/unit/dialogue.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

describe('out of turn', () => {
	test('nothing is said before the last line of the greeting', () => {
		const session = new SmtpSession(makePlan());
		const written = ['220-mx.test wait\r\n', '220-still waiting\r\n', '220 go'].map(
			(text) => session.receive(new TextEncoder().encode(text)).length,
		);
		expect(written).toEqual([0, 0, 0]);
		expect(session.receive(new TextEncoder().encode('\r\n')).length).toBeGreaterThan(0);
	});

	test('and no goodbye either to a server that has not greeted', () => {
		const session = new SmtpSession(makePlan());
		say(session, '220-mx.test wait');
		session.giveUp('timeout');
		expect(session.farewell()).toHaveLength(0);
	});

	test('the goodbye is a line of its own', () => {
		const session = new SmtpSession(makePlan());
		say(session, '554 no');
		expect(new TextDecoder().decode(session.farewell())).toBe('QUIT\r\n');
	});

	// An extra reply shifts all that follow: the 250 to MAIL would be read as the answer about the mailbox.
	test.each<[string, readonly string[]]>([
		['a second greeting', ['> 220 a', ...asks('EHLO', '220 b')]],
		['a goodbye in place of an answer', [...greeted('PIPELINING'), ...asks('MAIL ada qzx', 250, '221 bye')]],
	])('%s is no answer to what we asked', (_, script) => {
		expect(playDialogue(makePlan(), script)).toMatchObject({
			end: { kind: 'fault', fault: 'not_smtp' },
			targets: [{ reply: null }],
		});
	});

	test.each<[string, readonly string[]]>([
		['to the EHLO', ['> 220 a', '> 250 a']],
		['to everything', ['> 220 a', '> 250 a', '> 250 ok', '> 250 ok', '> 250 ok']],
		['to the MAIL', ['> 220 a', ...asks('EHLO', '250 a', 250)]],
		['to the target', [...greeted(), ...asks('MAIL', 250, 250)]],
	])('an answer %s that was there before the question counts for nothing', (_, script) => {
		expect(playInSegments(makePlan(), script)).toMatchObject({
			end: { kind: 'fault', fault: 'not_smtp' },
			targets: [{ reply: null }],
		});
	});

	test('there is no report before the end', () => {
		expect(() => new SmtpSession(makePlan()).report()).toThrow('still going on');
	});

	test.each(['heloName', 'mailFrom'] as const)('a line end in %s never reaches the wire', (field) => {
		for (const end of ['\r', '\n', '\0']) {
			expect(() => new SmtpSession(makePlan({ [field]: `a${end}RCPT` }))).toThrow('line end');
			expect(() => new SmtpSession(makePlan({ targets: [`a${end}@x.test`] }))).toThrow('line end');
			expect(() => new SmtpSession(makePlan({ invented: [`a${end}@x.test`] }))).toThrow('line end');
			expect(() => new SmtpSession(makePlan({ furtherInvented: [`${end}@x.test`] }))).toThrow('line end');
		}
	});
});

function patienceAfter(lines: readonly string[], changes: Parameters<typeof makePlan>[0] = {}): number {
	const session = new SmtpSession(makePlan(changes));
	for (const line of lines) say(session, line);
	return session.patienceMs;
}

describe('patience', () => {
	const flight = ['220 a', '250-a', '250 PIPELINING', '250 ok'];

	test.each<[string, readonly string[], number]>([
		['the greeting, which postscreen holds back', [], GREETING_TIMEOUT_MS],
		['the rest of the greeting', ['220-a'], GREETING_TIMEOUT_MS],
		['EHLO', ['220 a'], COMMAND_TIMEOUT_MS],
		['MAIL and RCPT', ['220 a', '250-a', '250 PIPELINING'], COMMAND_TIMEOUT_MS],
		['the target', flight, COMMAND_TIMEOUT_MS],
		['an invented recipient that decides about a catch-all', [...flight, '250 ok'], COMMAND_TIMEOUT_MS],
		['an invented recipient that only adds detail', [...flight, '550 no'], DETAIL_TIMEOUT_MS],
	])('with %s', (_, lines, limitMs) => {
		expect(patienceAfter(lines)).toBe(limitMs);
	});

	test('is longer where the operator is known to be slow, but not for detail', () => {
		expect(patienceAfter(flight, { replyTimeoutMs: 45_000 })).toBe(45_000);
		expect(patienceAfter([], { replyTimeoutMs: 45_000 })).toBe(45_000);
		expect(patienceAfter([], { replyTimeoutMs: 1_000 })).toBe(GREETING_TIMEOUT_MS);
		expect(patienceAfter([...flight, '550 no'], { replyTimeoutMs: 45_000 })).toBe(DETAIL_TIMEOUT_MS);
	});
});
