import { describe, expect, test } from 'vitest';
import type { RecipientReply, SessionReport } from '../../../src/core/smtp/session.ts';
import { FLIGHT, greeted, ok, playDialogue } from '../../support/unit/dialogue.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

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
			...FLIGHT,
			'> 250 2.1.0 sender ok',
			'> 250 2.1.5 recipient ok',
			'> 550 5.1.1 no such user',
		]);
		expect(summary(report)).toEqual({
			end: 'complete',
			stage: 'rcpt',
			targets: [250],
			invented: [550],
			roundTrips: 3,
		});
		expect(report.pipelined).toBe(true);
		expect(report.exchanges.map(({ to, code, text }) => [to, code, text])).toEqual([
			['banner', 220, 'mx.test ESMTP'],
			['ehlo', 250, 'mx.test / PIPELINING / SIZE 1000'],
			['mail', 250, '2.1.0 sender ok'],
			[{ recipient: 'ada@x.test' }, 250, '2.1.5 recipient ok'],
			[{ recipient: 'qzx@x.test' }, 550, '5.1.1 no such user'],
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
		const next = pipelined ? FLIGHT : FLIGHT.slice(0, 1);
		expect(playDialogue(makePlan(), [...greeted(...keywords), ...next, '! closed']).pipelined).toBe(
			pipelined,
		);
	});

	test('is not recognised by its own name', () => {
		const script = ['> 220 a', '< EHLO probe.us.test', '> 250 PIPELINING', ...FLIGHT.slice(0, 1), '! closed'];
		expect(playDialogue(makePlan(), script).pipelined).toBe(false);
	});

	test('gets one command at a time once it has shown that it stumbles', () => {
		const report = playDialogue(makePlan({ pipelining: 'never' }), [
			...greeted('PIPELINING'),
			'< MAIL FROM:<v@us.test>',
			'> 250 ok',
			'< RCPT TO:<ada@x.test>',
			'> 250 ok',
			'< RCPT TO:<qzx@x.test>',
			'> 550 no',
		]);
		expect(summary(report)).toMatchObject({ targets: [250], invented: [550], roundTrips: 5 });
	});
});

describe('a server without extensions', () => {
	test.each([500, 502])('that answers EHLO with %i is greeted with HELO and never hears a group', (code) => {
		const report = playDialogue(makePlan(), [
			'> 220 old.test',
			'< EHLO probe.us.test',
			`> ${code} what?`,
			'< HELO probe.us.test',
			'> 250-old.test',
			'> 250 PIPELINING',
			'< MAIL FROM:<v@us.test>',
			'> 250 ok',
			'< RCPT TO:<ada@x.test>',
			'> 250 ok',
			'< RCPT TO:<qzx@x.test>',
			'> 250 ok',
		]);
		expect(summary(report)).toMatchObject({
			end: 'complete',
			targets: [250],
			invented: [250],
			roundTrips: 6,
		});
		expect(report.pipelined).toBe(false);
	});
});

test('a conversation that never came to commands was no group', () => {
	expect(playDialogue(makePlan(), ['> 503 5.5.1 pipelining']).pipelined).toBe(false);
});

test.each([
	['! closed', '(closed the connection)'],
	['! timeout', '(no answer in time)'],
])('the last exchange tells how it ended: %s', (end, text) => {
	const { exchanges } = playDialogue(makePlan(), ['> 220 a', '< EHLO probe.us.test', end]);
	expect(exchanges.at(-1)).toMatchObject({ to: 'ehlo', code: null, text });
});

describe('one command at a time', () => {
	const upToTarget = [...greeted(), '< MAIL FROM:<v@us.test>', '> 250 ok', '< RCPT TO:<ada@x.test>'];

	test.each([550, 450, 552])('a target refused with %i costs no further round trip', (code) => {
		const report = playDialogue(makePlan(), [...upToTarget, `> ${code} no`]);
		expect(summary(report)).toMatchObject({
			end: 'complete',
			targets: [code],
			invented: [null],
			roundTrips: 4,
		});
	});

	test('every target is asked before the first invented recipient', () => {
		const report = playDialogue(makePlan({ targets: ['ada@x.test', 'bob@x.test'] }), [
			...upToTarget,
			'> 550 no',
			'< RCPT TO:<bob@x.test>',
			'> 250 ok',
			'< RCPT TO:<qzx@x.test>',
			'> 550 no',
		]);
		expect(summary(report)).toMatchObject({ targets: [550, 250], invented: [550] });
	});
});

describe('further invented recipients', () => {
	const plan = makePlan({ furtherInvented: ['r2@x.test', 'r3@x.test'] });

	test('confirm a catch-all in one more write where the first was accepted', () => {
		const report = playDialogue(plan, [
			...greeted('PIPELINING'),
			...FLIGHT,
			...ok(3),
			'< RCPT TO:<r2@x.test>',
			'< RCPT TO:<r3@x.test>',
			'> 250 ok',
			'> 550 no',
		]);
		expect(summary(report)).toMatchObject({
			end: 'complete',
			targets: [250],
			invented: [250, 250, 550],
			roundTrips: 4,
		});
	});

	test.each<[string, number, number]>([
		['where the first was refused', 250, 550],
		['where the first was put off', 250, 450],
		['where the first was one too many', 250, 452],
		['about a target that was refused', 550, 250],
	])('are not asked %s', (_, target, first) => {
		const report = playDialogue(plan, [
			...greeted('PIPELINING'),
			...FLIGHT,
			'> 250 ok',
			`> ${target} said`,
			`> ${first} said`,
		]);
		expect(summary(report)).toMatchObject({ end: 'complete', targets: [target], invented: [first] });
	});

	test('are not asked where no invented recipient is to be asked at all', () => {
		const report = playDialogue(makePlan({ invented: [], furtherInvented: ['r2@x.test'] }), [
			...greeted('PIPELINING'),
			'< MAIL FROM:<v@us.test>',
			'< RCPT TO:<ada@x.test>',
			...ok(2),
		]);
		expect(summary(report)).toMatchObject({ end: 'complete', targets: [250], invented: [] });
	});
});

describe('a server that takes one recipient a transaction', () => {
	const TOO_MANY = '> 452 4.5.3 Too many recipients';
	const flight = [...greeted('PIPELINING'), ...FLIGHT, '> 250 ok'];
	const alone = (recipient: string): string[] => [
		'< RSET',
		'< MAIL FROM:<v@us.test>',
		`< RCPT TO:<${recipient}@x.test>`,
		...ok(3),
	];
	const deep = makePlan({ furtherInvented: ['r2@x.test', 'r3@x.test'] });

	test('is asked about invented ones in the next transactions', () => {
		const asked = ['qzx', 'r2', 'r3'].flatMap(alone);
		const report = playDialogue(deep, [...flight, '> 250 ok', TOO_MANY, ...asked]);
		expect(summary(report)).toMatchObject({ end: 'complete', targets: [250], invented: [250, 250, 250] });
	});

	test.each<[string, readonly string[], number | null]>([
		['refused the target', ['> 550 5.1.1 no such user', TOO_MANY], 452],
		['hangs up', ['> 250 ok', '> 421 4.7.0 too many'], null],
		[
			'takes no second transaction',
			['> 250 ok', TOO_MANY, ...alone('qzx').slice(0, 3), '> 250 ok', '> 451 4.7.1 too many'],
			null,
		],
		['says so of the first as well', ['> 250 ok', TOO_MANY, ...alone('qzx').slice(0, 5), TOO_MANY], 452],
	])('is asked no further where it %s', (_, said, invented) => {
		const report = playDialogue(deep, [...flight, ...said]);
		expect(summary(report)).toMatchObject({ end: 'complete', invented: [invented] });
	});
});

describe('the answer about the target is final', () => {
	const answered = [...greeted('PIPELINING'), ...FLIGHT, '> 250 sender ok', '> 550 5.1.1 no such user'];

	test.each([
		['the server hangs up', ['! closed']],
		['the server falls silent', ['! timeout']],
		['the server says 421', ['> 421 4.7.0 closing']],
		['the server says nonsense', ['> \u0000\u0001\u0002']],
		['the server says goodbye', ['> 221 bye']],
	])('when %s after it', (_, rest) => {
		const report = playDialogue(makePlan(), [...answered, ...rest]);
		expect(report.targets).toMatchObject([{ recipient: 'ada@x.test', reply: { code: 550 } }]);
	});

	test.each(['! closed', '! timeout'])('and completes the conversation (%s)', (end) => {
		expect(playDialogue(makePlan(), [...answered, end]).end).toEqual({ kind: 'complete' });
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
		['EHLO', 'ehlo', 550, ['> 220 a', '< EHLO probe.us.test', '> 550 bad name']],
		[
			'MAIL in a group',
			'mail',
			550,
			[...greeted('PIPELINING'), ...FLIGHT, '> 550 5.7.23 SPF', '> 503 need MAIL'],
		],
		['MAIL with what is no acceptance', 'mail', 300, [...greeted(), '< MAIL FROM:<v@us.test>', '> 300 well']],
		[
			'HELO after EHLO',
			'ehlo',
			550,
			['> 220 a', '< EHLO probe.us.test', '> 500 what?', '< HELO probe.us.test', '> 550 go away'],
		],
		['MAIL alone', 'mail', 451, [...greeted(), '< MAIL FROM:<v@us.test>', '> 451 later']],
		['a 421 in place of an answer', 'ehlo', 421, ['> 220 a', '< EHLO probe.us.test', '> 421 4.4.2 idle']],
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
			expect(playDialogue(makePlan(), [`> ${line}`]).end).toEqual({ kind: 'fault', fault: 'not_smtp' });
		},
	);
});

describe('internationalised addresses', () => {
	const plan = makePlan({ targets: ['jörg@x.test'], needsSmtputf8: true });

	test('are asked about with SMTPUTF8 where the server offers it', () => {
		playDialogue(plan, [
			...greeted('PIPELINING', 'SMTPUTF8'),
			'< MAIL FROM:<v@us.test> SMTPUTF8',
			'< RCPT TO:<jörg@x.test>',
			'< RCPT TO:<qzx@x.test>',
			'! closed',
		]);
	});

	test.each([
		['does not offer it', greeted('PIPELINING')],
		[
			'has no extensions',
			['> 220 a', '< EHLO probe.us.test', '> 502 no', '< HELO probe.us.test', '> 250 SMTPUTF8'],
		],
	])('are not asked about where the server %s', (_, script) => {
		expect(playDialogue(plan, script).end).toEqual({ kind: 'smtputf8_missing' });
	});
});
