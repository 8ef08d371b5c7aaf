import { describe, expect, test } from 'vitest';
import type { RecipientReply, SessionReport } from '../../../src/core/smtp/session.ts';
import { asks, FLIGHT, greeted, playDialogue, playInSegments, say } from '../../support/unit/dialogue.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';
import { COMMAND_TIMEOUT_MS, DETAIL_TIMEOUT_MS, GREETING_TIMEOUT_MS } from '../../../src/core/smtp/limits.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';

const codes = (replies: readonly RecipientReply[]): (number | null)[] =>
	replies.map(({ reply }) => reply?.code ?? null);

function summary(report: ReturnType<typeof playDialogue>): object {
	return {
		end: report.end.kind,
		stage: report.stage,
		targets: codes(report.targets),
		invented: codes(report.invented),
		roundTrips: report.roundTrips,
	};
}

describe('a server that takes groups of commands', () => {
	test('hears MAIL, the target and the invented recipient in one write: three waits in all', () => {
		const report = playDialogue(makePlan(), [
			...greeted('PIPELINING', 'SIZE 1000'),
			...asks('MAIL ada qzx', '250 2.1.0 sender ok', '250 2.1.5 recipient ok', '550 5.1.1 no such user'),
		]);
		const asked = { end: 'complete', stage: 'rcpt', targets: [250], invented: [550], roundTrips: 3 };
		expect(summary(report)).toEqual(asked);
		expect(report.pipelined).toBe(true);
		expect(
			report.exchanges.map(({ step, recipient, code, text }) => [recipient ?? step, code, text]),
		).toEqual([
			['banner', 220, 'mx.test ESMTP'],
			['ehlo', 250, 'mx.test / PIPELINING / SIZE 1000'],
			['mail', 250, '2.1.0 sender ok'],
			['ada@x.test', 250, '2.1.5 recipient ok'],
			['qzx@x.test', 550, '5.1.1 no such user'],
		]);
	});

	test.each([
		['in the first place', ['PIPELINING', 'SIZE'], true],
		['in the last', ['SIZE 1000', '8BITMIME', 'PIPELINING'], true],
		['in lower case', ['pipelining'], true],
		['with something behind it', ['PIPELINING  '], true],
		['within a longer word', ['XPIPELINING', 'PIPELINING-NOT'], false],
		['nowhere', [], false],
	])('is recognised by its keyword: %s, %s', (_, keywords, pipelined) => {
		const next = pipelined ? FLIGHT : asks('MAIL');
		expect(playDialogue(makePlan(), [...greeted(...keywords), ...next, '! closed']).pipelined).toBe(
			pipelined,
		);
	});

	test('is not recognised by its own name', () => {
		const script = ['> 220 a', ...asks('EHLO', '250 PIPELINING'), ...asks('MAIL'), '! closed'];
		expect(playDialogue(makePlan(), script).pipelined).toBe(false);
	});

	test('gets one command at a time once it has shown that it stumbles', () => {
		const alone = [...asks('MAIL', 250), ...asks('ada', 250), ...asks('qzx', 550)];
		const report = playDialogue(makePlan({ pipelining: 'never' }), [...greeted('PIPELINING'), ...alone]);
		expect(summary(report)).toMatchObject({ targets: [250], invented: [550], roundTrips: 5 });
	});
});

test.each([500, 502])('a server that answers EHLO with %i hears HELO and never a group', (code) => {
	const report = playDialogue(makePlan(), [
		'> 220 old.test',
		...asks('EHLO', `${code} what?`),
		...asks('HELO', '250-old.test', '250 PIPELINING'),
		...asks('MAIL', 250),
		...asks('ada', 250),
		...asks('qzx', 250),
	]);
	const asked = { end: 'complete', targets: [250], invented: [250], roundTrips: 6 };
	expect(summary(report)).toMatchObject(asked);
	expect(report.pipelined).toBe(false);
});

test('a conversation that never came to commands was no group', () => {
	expect(playDialogue(makePlan(), ['> 503 5.5.1 pipelining']).pipelined).toBe(false);
});

test.each([
	['! closed', '(closed the connection)'],
	['! timeout', '(no answer in time)'],
])('the last exchange tells how it ended: %s', (end, text) => {
	const { exchanges } = playDialogue(makePlan(), ['> 220 a', ...asks('EHLO'), end]);
	expect(exchanges.at(-1)).toMatchObject({ step: 'ehlo', code: null, text });
});

describe('one command at a time', () => {
	const upToTarget = [...greeted(), ...asks('MAIL', 250)];

	test.each([550, 450, 552])('a target refused with %i costs no further round trip', (code) => {
		const report = playDialogue(makePlan(), [...upToTarget, ...asks('ada', code)]);
		const asked = { end: 'complete', targets: [code], invented: [null], roundTrips: 4 };
		expect(summary(report)).toMatchObject(asked);
	});

	test('every target is asked before the first invented recipient', () => {
		const plan = makePlan({ targets: ['ada@x.test', 'bob@x.test'] });
		const asked = [...asks('ada', 550), ...asks('bob', 250), ...asks('qzx', 550)];
		const report = playDialogue(plan, [...upToTarget, ...asked]);
		expect(summary(report)).toMatchObject({ targets: [550, 250], invented: [550] });
	});
});

describe('further invented recipients', () => {
	const plan = makePlan({ invented: ['qzx@x.test', 'r2@x.test', 'r3@x.test'] });
	const heard = (...replies: number[]): string[] => [
		...greeted('PIPELINING'),
		...asks('MAIL ada qzx', ...replies),
	];

	test('confirm a catch-all in one more write where the first was accepted', () => {
		const report = playDialogue(plan, [...heard(250, 250, 250), ...asks('r2 r3', 250, 550)]);
		const asked = { end: 'complete', targets: [250], invented: [250, 250, 550], roundTrips: 4 };
		expect(summary(report)).toMatchObject(asked);
	});

	test.each<[string, number, number]>([
		['where the first was refused', 250, 550],
		['where the first was put off', 250, 450],
		['where the first was one too many', 250, 452],
		['about a target that was refused', 550, 250],
	])('are not asked %s', (_, target, first) => {
		const report = playDialogue(plan, heard(250, target, first));
		expect(summary(report)).toMatchObject({ end: 'complete', targets: [target], invented: [first] });
	});
});

describe('a server that takes one recipient a transaction', () => {
	const TOO_MANY = '452 4.5.3 Too many recipients';
	const flight = [...greeted('PIPELINING'), ...asks('MAIL ada qzx', 250)];
	const alone = (mailbox: string, ...replies: (number | string)[]): string[] =>
		asks(`RSET MAIL ${mailbox}`, 250, ...replies);
	const deep = makePlan({ invented: ['qzx@x.test', 'r2@x.test', 'r3@x.test'] });

	test('is asked about invented ones in the next transactions', () => {
		const asked = ['qzx', 'r2', 'r3'].flatMap((mailbox) => alone(mailbox, 250, 250));
		const report = playDialogue(deep, [...flight, '> 250 ok', `> ${TOO_MANY}`, ...asked]);
		expect(summary(report)).toMatchObject({ end: 'complete', targets: [250], invented: [250, 250, 250] });
	});

	test.each<[string, readonly string[], number | null]>([
		['refused the target', ['> 550 5.1.1 no such user', `> ${TOO_MANY}`], 452],
		['hangs up', ['> 250 ok', '> 421 4.7.0 too many'], null],
		['takes no second one', ['> 250 ok', `> ${TOO_MANY}`, ...alone('qzx', '451 4.7.1 too many')], null],
		['refuses that', ['> 250 ok', `> ${TOO_MANY}`, ...asks('RSET MAIL qzx', 250, 451, 503)], null],
		['says so of the first as well', ['> 250 ok', `> ${TOO_MANY}`, ...alone('qzx', 250, TOO_MANY)], 452],
	])('is asked no further where it %s', (_, said, invented) => {
		const report = playDialogue(deep, [...flight, ...said]);
		expect(summary(report)).toMatchObject({ end: 'complete', invented: [invented] });
	});
});

describe('the answer about the target is final', () => {
	const answered = [...greeted('PIPELINING'), ...asks('MAIL ada qzx', 250, '550 5.1.1 no such user')];

	test.each([
		['hangs up', '! closed', 'complete'],
		['falls silent', '! timeout', 'complete'],
		['says 421', '> 421 4.7.0 closing', 'complete'],
		['says nonsense', '> \u0000\u0001\u0002', 'fault'],
		['says goodbye', '> 221 bye', 'fault'],
	])('when the server %s after it', (_, rest, end) => {
		const report = playDialogue(makePlan(), [...answered, rest]);
		const targets = [{ recipient: 'ada@x.test', reply: { code: 550 } }];
		expect(report).toMatchObject({ end: { kind: end }, targets });
	});

	test('but there is none before the server has given it', () => {
		const report = playDialogue(makePlan(), [...greeted('PIPELINING'), ...FLIGHT, '> 250 ok', '! closed']);
		expect(summary(report)).toMatchObject({ end: 'closed', targets: [null] });
	});

	test('and giving up twice changes nothing', () => {
		const report = playDialogue(makePlan(), [...greeted('PIPELINING'), ...FLIGHT, '! timeout', '! closed']);
		expect(report.end).toEqual({ kind: 'timeout' });
	});
});

describe('refusals before any recipient', () => {
	test.each<[string, SessionReport['stage'], number, readonly string[]]>([
		['greeting', 'greeting', 554, ['> 554 5.7.1 listed']],
		['greeting with the first of all 4xx codes', 'greeting', 400, ['> 400 no']],
		['busy greeting', 'greeting', 421, ['> 421 4.3.2 too many connections']],
		['EHLO', 'ehlo', 550, ['> 220 a', ...asks('EHLO', 550)]],
		['MAIL in a group', 'mail', 550, [...greeted('PIPELINING'), ...asks('MAIL ada qzx', 550, 503)]],
		['MAIL with what is no acceptance', 'mail', 300, [...greeted(), ...asks('MAIL', 300)]],
		['HELO after EHLO', 'ehlo', 550, ['> 220 a', ...asks('EHLO', 500), ...asks('HELO', 550)]],
		['MAIL alone', 'mail', 451, [...greeted(), ...asks('MAIL', 451)]],
		['a 421 in place of an answer', 'ehlo', 421, ['> 220 a', ...asks('EHLO', 421)]],
	])('%s: the conversation ends with that reply', (_, stage, code, script) => {
		expect(playDialogue(makePlan(), script)).toMatchObject({
			end: { kind: 'refused', reply: { code } },
			stage,
			targets: [{ reply: null }],
		});
	});

	test.each(['250 hello', '200 hello', '354 hello', '221 bye'])(
		'a greeting of %j is no mail server',
		(line) => {
			expect(playDialogue(makePlan(), [`> ${line}`]).end).toEqual({ kind: 'fault' });
		},
	);
});

describe('internationalised addresses', () => {
	const plan = makePlan({ targets: ['jörg@x.test'], needsSmtputf8: true });

	test('are asked about with SMTPUTF8 where the server offers it', () => {
		const flight = ['< MAIL FROM:<v@us.test> SMTPUTF8', ...asks('jörg qzx'), '! closed'];
		playDialogue(plan, [...greeted('PIPELINING', 'SMTPUTF8'), ...flight]);
	});

	test.each([
		['does not offer it', greeted('PIPELINING')],
		['has no extensions', ['> 220 a', ...asks('EHLO', 502), ...asks('HELO', '250 SMTPUTF8')]],
	])('are not asked about where the server %s', (_, script) => {
		expect(playDialogue(plan, script).end).toEqual({ kind: 'smtputf8_missing' });
	});
});

describe('out of turn', () => {
	test('nothing is said before the last line of the greeting', () => {
		const session = new SmtpSession(makePlan());
		const written = ['220-mx.test wait\r\n', '220-still waiting\r\n', '220 go', '\r\n'].map(
			(text) => session.receive(new TextEncoder().encode(text)).length > 0,
		);
		expect(written).toEqual([false, false, false, true]);
	});

	test.each([
		['220-mx.test wait', false],
		['554 no', true],
	])('a goodbye is said to a server that has greeted: %s %s', (greeting, isGreeted) => {
		const session = new SmtpSession(makePlan());
		say(session, greeting);
		session.giveUp('timeout');
		expect(session.isGreeted).toBe(isGreeted);
	});

	// An extra reply shifts all that follow: the 250 to MAIL would be read as the answer about the mailbox.
	test.each<[string, readonly string[]]>([
		['a second greeting', ['> 220 a', ...asks('EHLO', '220 b')]],
		['a goodbye in place of an answer', [...greeted('PIPELINING'), ...asks('MAIL ada qzx', 250, '221 bye')]],
	])('%s is no answer to what we asked', (_, script) => {
		expect(playDialogue(makePlan(), script)).toMatchObject({
			end: { kind: 'fault' },
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
			end: { kind: 'fault' },
			targets: [{ reply: null }],
		});
	});

	// One reply too many in all shows that some reply answered no question. A server that hangs up says so unasked.
	test.each<[string, readonly string[], readonly string[], number | null]>([
		['to the MAIL', ['PIPELINING'], asks('MAIL ada qzx', 250, 250, 550, 550), null],
		['before a goodbye', [], [...asks('MAIL', 250), ...asks('ada', 550, '221 bye')], 550],
		// Lines of one reply, written as if each were one.
		['that only says it again', [], [...asks('MAIL', 250), ...asks('ada', 550, 550)], 550],
	])('a second answer %s counts for nothing, however it comes', (_, keywords, script, target) => {
		const report = playInSegments(makePlan(), [...greeted(...keywords), ...script]);
		expect(codes(report.targets)).toEqual([target]);
		expect(codes(report.invented)).toEqual([null]);
	});

	test('there is no report before the end', () => {
		expect(() => new SmtpSession(makePlan()).report()).toThrow('still going on');
	});

	test.each(['heloName', 'mailFrom', 'targets', 'invented'] as const)(
		'a line end in %s never reaches the wire',
		(field) => {
			for (const end of ['\r', '\n', '\0']) {
				const text = `a${end}@x.test`;
				const said = field === 'heloName' || field === 'mailFrom' ? text : [text];
				expect(() => new SmtpSession(makePlan({ [field]: said }))).toThrow('line end');
			}
		},
	);
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
