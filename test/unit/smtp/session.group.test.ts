import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	COMMAND_TIMEOUT_MS,
	REJECTIONS_MAX,
	RESETS_MAX,
	SPENT_TIMEOUT_MS,
} from '../../../src/core/smtp/limits.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import type { SessionPlan, SessionReport } from '../../../src/core/smtp/session.ts';
import { asks, greeted, ok, playDialogue, playInSegments, say } from '../../support/unit/dialogue.ts';
import { makePlan, USED_LINE } from '../../support/unit/smtp-plan.ts';

const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `u${index}@x.test`);
const group = (count: number, changes: Partial<SessionPlan> = {}): SessionPlan =>
	makePlan({ targets: people(count), invented: [], perTransaction: 3, ...changes });
const codes = (report: SessionReport): (number | null)[] =>
	report.targets.map(({ reply }) => reply?.code ?? null);

describe('many recipients', () => {
	test('are asked in transactions of the size that the plan allows, the invented one with the first', () => {
		const report = playDialogue(group(5, { invented: ['qzx@x.test'], asksInvented: 'first' }), [
			...greeted('PIPELINING'),
			...asks('MAIL qzx u0 u1', 250, 550, 250, 550),
			...asks('RSET MAIL u2 u3 u4', 250, 250, 250, 250, 250),
		]);
		expect([codes(report), report.invented[0]?.reply?.code]).toEqual([[250, 550, 250, 250, 250], 550]);
		expect(report).toMatchObject({ end: { kind: 'complete' }, roundTrips: 4 });
	});

	test('are asked after it where a list wants it so, also where it takes the whole transaction', () => {
		const plan = group(2, { invented: ['qzx@x.test'], asksInvented: 'first', perTransaction: 1 });
		const next = ['u0', 'u1'].flatMap((name) => asks(`RSET MAIL ${name}`, 250, 250, 250));
		const report = playDialogue(plan, [...greeted('PIPELINING'), ...asks('MAIL qzx', 250, 250), ...next]);
		expect([codes(report), report.invented[0]?.reply?.code]).toEqual([[250, 250], 250]);
	});

	test('one by one, the invented one is asked first where a list wants it so, whatever targets hear', () => {
		const plan = group(2, { invented: ['qzx@x.test'], asksInvented: 'first' });
		const script = ['qzx', 'u0', 'u1'].flatMap((name) => asks(name, 550));
		const report = playDialogue(plan, [...greeted(), ...asks('MAIL', 250), ...script]);
		expect([codes(report), report.invented[0]?.reply?.code]).toEqual([[550, 550], 550]);
	});

	test('one by one, the invented one comes after them where it may influence nothing, and only if one was accepted', () => {
		const asked = (first: number, second: number, ...rest: readonly string[]): SessionReport => {
			const script = [...asks('MAIL', 250), ...asks('u0', first), ...asks('u1', second), ...rest];
			return playDialogue(group(2, { invented: ['qzx@x.test'] }), [...greeted(), ...script]);
		};
		expect(asked(550, 250, ...asks('qzx', 550)).invented[0]?.reply?.code).toBe(550);
		expect(asked(550, 550).invented[0]?.reply).toBeNull();
	});

	test('a server that has seen too much is waited for a moment only, and its answers count', () => {
		const session = new SmtpSession(group(REJECTIONS_MAX + 2, { perTransaction: 20 }));
		say(session, '220 a');
		say(session, '250-a', '250 PIPELINING');
		say(session, '250 ok', ...Array.from({ length: REJECTIONS_MAX - 1 }, () => '550 no'));
		expect(session.patienceMs).toBe(COMMAND_TIMEOUT_MS);
		say(session, '550 no', '550 no');
		expect(session.patienceMs).toBe(SPENT_TIMEOUT_MS);
		session.giveUp('timeout');
		expect(session.report().end).toEqual({ kind: 'limit' });
		expect(codes(session.report()).filter((code) => code === null)).toHaveLength(1);
	});
});

describe('a reply about the number of questions is no answer to one of them', () => {
	const three = [...greeted('PIPELINING'), ...asks('MAIL u0 u1 u2', 250, 250)];

	test.each([
		'452 4.5.3 Too many recipients',
		'550 5.5.3 too many recipients',
		'451 4.7.0 rate limit exceeded',
	])('%s: the recipient is asked again in a transaction of its own', (line) => {
		const again = [...asks('RSET MAIL u1', 250, 250, 550), ...asks('RSET MAIL u2', 250, 250, 250)];
		const report = playDialogue(group(3), [...three, `> ${line}`, `> ${line}`, ...again]);
		expect(codes(report)).toEqual([250, 550, 250]);
	});

	test.each<[string, readonly string[]]>([
		['421 within a transaction', ['> 421 4.7.0 closing']],
		['421 to RSET', [...ok(2), ...asks('RSET MAIL u3', '421 bye')]],
		['554 to RSET', [...ok(2), ...asks('RSET MAIL u3', '554 Too many nonmail commands')]],
		[
			'"too many" to the first of a later transaction',
			[...ok(2), ...asks('RSET MAIL u3', 250, 250, '452 4.5.3 Too many')],
		],
	])('%s: the connection is over, and no recipient is judged by it', (_, rest) => {
		const report = playDialogue(group(4), [...three, ...rest]);
		expect(report.end).toEqual({ kind: 'limit' });
		expect([codes(report)[0], codes(report)[3]]).toEqual([250, null]);
	});

	test('but the first of a connection is answered by it, as it would be alone', () => {
		const refused = asks('MAIL u0 u1', 250, '421 4.7.0 too many connections');
		const report = playDialogue(group(2), [...greeted('PIPELINING'), ...refused, '! closed']);
		expect(codes(report)).toEqual([421, null]);
	});

	test('a sender refused in a later transaction ends the conversation', () => {
		const later = asks('RSET MAIL u3', 250, '451 slow down', '503 need MAIL');
		const report = playDialogue(group(4), [...three, ...ok(2), ...later]);
		expect([report.end.kind, codes(report)]).toEqual(['refused', [250, 250, 250, null]]);
	});
});

describe('a server that gives more answers than it was asked for', () => {
	const flight = [...greeted('PIPELINING'), ...asks('MAIL u0 u1 u2', 250)];

	test.each([
		['in the last transaction', 3],
		['before the next one', 4],
	])('is believed nothing, %s: no reply can be matched to recipients', (_, count) => {
		const surplus = ['> 550 no', ...ok(3)];
		const report = playInSegments(group(count), [...flight, ...surplus]);
		expect(report.end).toEqual({ kind: 'fault' });
		expect(codes(report)).toEqual(people(count).map(() => null));
	});

	test('unless it only says goodbye', () => {
		const report = playInSegments(group(3), [...flight, ...ok(3), '> 421 timeout']);
		expect(codes(report)).toEqual([250, 250, 250]);
	});
});

const line = fc.constantFrom(
	'250 ok',
	'250 ok',
	'250 ok',
	'550 5.1.1 no',
	'452 4.5.3 too many',
	'421 bye',
	'450 x',
);

test('whatever is answered and whenever it ends: answers stay, and no limit is passed', () => {
	const chance = fc.record({
		count: fc.integer({ min: 2, max: 30 }),
		per: fc.integer({ min: 1, max: 8 }),
		keyword: fc.constantFrom('PIPELINING', 'SIZE'),
		replies: fc.array(line, { maxLength: 60 }),
		drip: fc.integer({ min: 1, max: 6 }),
	});
	fc.assert(
		fc.property(chance, ({ count, per, keyword, replies, drip }) => {
			const session = new SmtpSession(group(count, { perTransaction: per, invented: ['r@x.test'] }));
			const answered = new Map<string, number | null>();
			const due: string[] = [];
			let [resets, size, errors] = [0, 0, 0];
			const read = (text: string): void => {
				for (const command of text.split('\r\n').filter(Boolean)) {
					due.push(command);
					if (command === 'RSET') resets += 1;
					if (command.startsWith('MAIL')) size = 0;
					if (!command.startsWith('RCPT')) continue;
					size += 1;
					expect(size).toBeLessThanOrEqual(Math.max(2, per));
					// One by one, nothing is asked of a connection that has refused enough.
					if (keyword === 'SIZE') expect(errors).toBeLessThan(REJECTIONS_MAX);
				}
				expect(resets).toBeLessThanOrEqual(RESETS_MAX);
			};
			read(say(session, '220 a'));
			read(say(session, '250-a', `250 ${keyword}`));
			due.shift();
			for (let next = 0; next < replies.length && due.length > 0;) {
				const batch: string[] = [];
				while (batch.length < drip && next < replies.length && due.length > 0) {
					const command = due.shift() ?? '';
					const reply = command.startsWith('RCPT') ? (replies[next++] ?? '') : '250 ok';
					if (command.startsWith('RCPT') && !reply.startsWith('2')) errors += 1;
					if (reply.startsWith('250') || reply.startsWith('550'))
						answered.set(command, Number(reply.slice(0, 3)));
					batch.push(reply);
					if (reply.startsWith('421')) due.length = 0;
				}
				if (session.ended) break;
				read(say(session, ...batch));
			}
			session.giveUp('closed');
			for (const { recipient, reply } of session.report().targets) {
				const said = answered.get(`RCPT TO:<${recipient}>`);
				if (reply?.code === 250 || reply?.code === 550) expect(reply.code).toBe(said);
				else if (said !== undefined) expect(session.report().end.kind).not.toBe('complete');
			}
		}),
		{ numRuns: 500 },
	);
});

test('a connection that has refused almost too many is asked about few more at a time', () => {
	const used = { ...USED_LINE, errors: REJECTIONS_MAX - 1 };
	const session = new SmtpSession(group(10, { perTransaction: 20 }), used);
	expect(new TextDecoder().decode(session.open()).match(/RCPT/gu)).toHaveLength(4);
});
