import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEPS_MAX, TEXT_MAX } from '../../../src/core/verification/evidence.ts';
import {
	answerAt,
	MESSAGE_OCTETS_MAX,
	questionAt,
	sentAnswer,
	sentQuestion,
	VERSION,
} from '../../../src/wire/prober.ts';
import type { Asked, Question } from '../../../src/wire/prober.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { modelDialer } from '../../support/unit/model-server.ts';
import type { ModelServer } from '../../support/unit/model-server.ts';
import { makeQuestion } from '../../support/unit/question.ts';

const NOW = 1_800_000_000_000;
// The reader's clock is a minute behind.
const BEHIND = 60_000;
const QUESTION = makeQuestion({
	hosts: [
		{ name: 'aspmx.l.google.com', addresses: ['8.8.8.1', '2001:4860::1'], failed: false },
		{ name: 'backup.test', addresses: [], failed: true },
	],
	targets: ['ada@x.test', 'bob@x.test'],
	invented: { first: 'qzx@x.test', further: ['a.b@x.test', 'c2@x.test'] },
	deep: 'catch_all',
	class: 'list',
	explain: true,
	deadline: NOW + 15_000,
});

const HEAD = { version: VERSION, sentAt: NOW };
const overTheWire = (message: object): unknown => JSON.parse(JSON.stringify(message));
const sent = (question: Question, now: number): Question =>
	questionAt(now, sentQuestion.parse(overTheWire({ ...HEAD, tells: false, question })));
const answered = (asked: object, now: number): Asked =>
	answerAt(now, sentAnswer.parse(overTheWire({ ...HEAD, rules: 'r1', ...asked })));

test.each<[string, Partial<Question>]>([
	['about a list', {}],
	['of nobody, about nobody invented', { asker: null, invented: null, class: 'single' }],
	['of a task, over a new connection', { deep: 'always', fresh: true, class: 'small' }],
	['about the domain itself', { implicit: true }],
	['about mailboxes of other scripts', { targets: ['zoë@x.test'], needsSmtputf8: true }],
])('a question %s arrives as it was sent', (_, changes) => {
	const asked = { ...QUESTION, ...changes };
	expect(sent(asked, NOW)).toEqual(asked);
});

test('times of a question and of an answer are by the clock of whoever reads them', () => {
	const timesAt = (now: number) => ({ deadline: now + 15_000, paysUntil: now + 500, since: now - 500 });
	expect(sent({ ...QUESTION, ...timesAt(NOW) }, NOW - BEHIND)).toMatchObject(timesAt(NOW - BEHIND));
	const saidAt = (now: number): Asked => ({
		answers: [{ kind: 'postponed', until: now + 5_000 }, null],
		evidence: [{ step: 'connect', at: now - 800 }],
		recipients: 0,
	});
	expect(answered(saidAt(NOW), NOW - BEHIND)).toEqual(saidAt(NOW - BEHIND));
});

const ANSWER = { ...HEAD, rules: 'r1', answers: [null], evidence: [], recipients: 0 };

test.each<[string, object]>([
	['with a finding that is none', { answers: ['maybe'] }],
	['that says nothing', { answers: [{}] }],
	['of another kind', { answers: [{ kind: 'told' }] }],
	['with a pause for another reason', { answers: [{ kind: 'paused', why: 'quarantined' }] }],
	['with a moment that is none', { answers: [{ kind: 'postponed' }] }],
	[
		'without its target',
		{ answers: [{ kind: 'heard', host: 'mx.x.test', viaBackup: false, interpretation: {} }] },
	],
	['without answers', { answers: undefined }],
	['with more steps than are told', { evidence: Array.from({ length: STEPS_MAX + 1 }, () => ({})) }],
	['of another version', { version: 3 }],
])('an answer is none %s', (_, changes) => {
	expect(sentAnswer.safeParse(ANSWER).success).toBe(true);
	expect(sentAnswer.safeParse({ ...ANSWER, ...changes }).success).toBe(false);
});

test('a question and an answer of a later build may say more than is known', () => {
	const later = { why: [1] };
	const question = { ...HEAD, tells: false, question: { ...QUESTION, later }, later };
	expect(questionAt(NOW, sentQuestion.parse(overTheWire(question)))).toEqual(QUESTION);
	const asked = { answers: [null], evidence: [], recipients: 0 };
	expect(answered({ ...asked, later }, NOW)).toEqual(asked);
});

const server = fc.record(
	{
		pipelining: fc.boolean(),
		recipientsMax: fc.integer({ min: 1, max: 10 }),
		recipientsPerConnection: fc.integer({ min: 1, max: 10 }),
		closesAtReplies: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
		connectionsMax: fc.integer({ min: 0, max: 6 }),
	},
	{ requiredKeys: [] },
);
const people = fc.uniqueArray(
	fc
		.tuple(fc.constantFrom('good', 'bad', 'slow', 'blocked', 'odd'), fc.integer({ min: 0, max: 30 }))
		.map(([word, n]) => `${word}${n}@x.test`),
	{ minLength: 1, maxLength: 15 },
);
const replyTo = (recipient: string): string => {
	if (recipient.startsWith('good')) return OK;
	if (recipient.startsWith('odd')) return `550 5.1.1 \u0000\u202E${'\u0007no such user '.repeat(200)}`;
	if (recipient.startsWith('slow')) return '450 4.2.0 try later';
	return recipient.startsWith('blocked') ? '550 5.7.1 blocked using zen.spamhaus.org' : NO_SUCH_USER;
};

test('the answer of a prober is bounded, and arrives as it was sent, whatever the mail host does', async () => {
	await fc.assert(
		fc.asyncProperty(
			people,
			server,
			fc.constantFrom<Partial<Question>>({}, { deep: 'always' }, { invented: null }, { implicit: true }),
			async (targets, behaviour: Partial<ModelServer>, changes) => {
				const clock = fakeClock(NOW);
				const dialer = modelDialer(clock, { says: replyTo, ...behaviour });
				const asked = { ...QUESTION, targets, deadline: NOW + 60_000, ...changes };
				const said = await fakeProber({ clock, dialer }).ask(asked);
				expect(answered(said, NOW)).toEqual(said);
				expect(JSON.stringify(said).length).toBeLessThan(MESSAGE_OCTETS_MAX / 4);
				const texts = said.evidence.map(({ text = '' }) => text.length);
				expect(Math.max(0, ...texts)).toBeLessThanOrEqual(TEXT_MAX);
			},
		),
		{ numRuns: 200 },
	);
});
