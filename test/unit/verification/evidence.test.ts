import { expect, test } from 'vitest';
import type { SessionReport } from '../../../src/core/smtp/session.ts';
import { STEPS_MAX, TEXT_MAX } from '../../../src/core/verification/evidence.ts';
import type { TimedStep } from '../../../src/core/verification/evidence.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import { Trail } from '../../../src/core/verification/trail.ts';
import { stepsOf } from '../../../src/prober/steps.ts';
import { makeReport } from '../../support/unit/session-report.ts';

// What a customer sees of the way to an answer: every stage with its reply, and nothing of ours.

type Exchange = SessionReport['exchanges'][number];

const evidenceOf = (steps: readonly TimedStep[], begun = 100) => {
	const trail = new Trail(() => begun);
	trail.asked({ evidence: steps, recipients: 0 });
	return trail.evidence();
};
const conversed = (report: SessionReport, at = 900) =>
	stepsOf(at, 'mx.x.test', report, readSession(report, null));
const evidenceIn = (report: SessionReport) => evidenceOf(conversed(report));

const heard = (
	at: number,
	to: string,
	text: string,
	code = 250,
	enhanced: string | null = null,
): Exchange => {
	const recipient = to.includes('@') ? to : null;
	const step = recipient === null ? (to as Exchange['step']) : 'rcpt';
	return { at, step, recipient, code, enhanced, text };
};
const GONE = '5.1.1 no such user';
const REFUSED: SessionReport = {
	...makeReport({ target: `550 ${GONE}`, invented: [`550 ${GONE}`] }),
	sender: 'verify@probe.us.test',
	heloName: 'mx7.probe.us.test',
	exchanges: [
		heard(200, 'banner', 'mx.x.test ESMTP', 220),
		heard(300, 'ehlo', 'mx.x.test greets MX7.probe.us.test [203.0.113.9] / PIPELINING'),
		heard(400, 'mail', '2.1.0 ok, host-203-0-113-9 and 2001:db8::7', 250, '2.1.0'),
		heard(500, 'ada@x.test', GONE, 550, '5.1.1'),
		heard(600, 'qzx0@x.test', GONE, 550, '5.1.1'),
	],
};

test('each stage has its reply, its time, and the rule that read it', () => {
	const steps = evidenceIn(REFUSED);
	expect(steps.map(({ step, at_ms: ms, code }) => [step, ms, code])).toEqual([
		['banner', 100, 220],
		['ehlo', 200, 250],
		['mail', 300, 250],
		['rcpt', 400, 550],
		['rcpt', 500, 550],
		['rule', 800, undefined],
	]);
	expect(steps[3]).toEqual({
		step: 'rcpt',
		at_ms: 400,
		host: 'mx.x.test',
		code: 550,
		enhanced: '5.1.1',
		text: 'no such user',
		rule: expect.stringMatching(/^[a-z]+[._a-z]*$/u),
		source: 'reply-rules',
	});
	expect(steps[4]?.text).toMatch(/^\(invented recipient\)/u);
	expect(steps[5]?.text).toBe('It refused this address.');
});

test.each([
	['250 ok', ['550 5.1.1 no such user'], 'refused an invented one, so its yes counts.'],
	['250 ok', ['250 ok'], 'an invented one too, so its yes says nothing.'],
	['250 ok', ['451 4.3.0 later'], 'We heard nothing about an invented one.'],
	['552 5.2.2 mailbox full', ['550 5.1.1 no such user'], 'says that it is full.'],
	['451 4.3.0 later', ['451 4.3.0 later'], 'It did not say whether this address exists (unavailable_smtp).'],
])('%s, with an invented recipient %j: says what that shows', (target, invented, words) => {
	expect(evidenceIn(makeReport({ target, invented })).at(-1)?.text).toContain(words);
});

test('times never run backwards, though a prober tells of its connection only with its answer', () => {
	const dial = { step: 'connect', at: 1_200, text: '192.0.2.1: connected' } as const;
	const again = { ...REFUSED, exchanges: REFUSED.exchanges.map((one) => ({ ...one, at: one.at + 500 })) };
	const told = evidenceOf([
		dial,
		...conversed(REFUSED, 1_200),
		{ step: 'rule', at: 1_200, rule: 'wait', text: '300 ms: greylisted' },
		dial,
		...conversed(again, 1_200),
	]);
	const steps = told.map(({ step, at_ms: ms }) => [step, ms] as const);
	expect(steps.map(([, ms]) => ms)).toEqual(steps.map(([, ms]) => ms).toSorted((a, b) => a - b));
	expect(steps[0]).toEqual(['connect', 100]);
	expect(steps.at(-1)).toEqual(['rule', 1_100]);
});

test('our host, our sender and our addresses are masked, however they are written', () => {
	const said = JSON.stringify(evidenceIn(REFUSED));
	expect(said).not.toMatch(/probe\.us\.test|203[.-]0[.-]113[.-]9|2001:db8/iu);
	expect(said).toContain('[ours]');
	expect(said).toContain('[address]');
	// What is no address stays.
	expect(said).toContain('5.1.1');
});

test('a hostile text is printable and bounded', () => {
	const target = `550 5.1.1 \u001B[2J\u202Eevil\u0007\uE000 ${'x'.repeat(9_000)}`;
	for (const { text = '' } of evidenceIn(makeReport({ target }))) {
		expect(text.length).toBeLessThanOrEqual(TEXT_MAX);
		expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
	}
});

test('there are never more steps than forty: the first and the last are kept', () => {
	const all = Array.from({ length: 99 }, (_, at) => ({ step: 'rule', at, text: 'busy' }) as const);
	const steps = evidenceOf(all, 0);
	expect(steps).toHaveLength(STEPS_MAX);
	expect([steps[0]?.at_ms, steps.at(-1)?.at_ms]).toEqual([0, 98]);
});
