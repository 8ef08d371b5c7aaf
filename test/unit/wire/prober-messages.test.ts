import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import type { Asked, Question } from '../../../src/engine/question.ts';
import {
	answerFromWire,
	answerToWire,
	questionFromWire,
	questionToWire,
} from '../../../src/wire/prober-messages.ts';
import { ADDRESSES_PER_HOST_MAX, answer, HOSTS_MAX, question } from '../../../src/wire/prober.ts';
import type { WireQuestion } from '../../../src/wire/prober.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { modelDialer } from '../../support/unit/model-server.ts';
import type { ModelServer } from '../../support/unit/model-server.ts';

const NOW = 1_800_000_000_000;
const QUESTION: Question = {
	domain: 'x.test',
	hosts: [
		{ name: 'aspmx.l.google.com', addresses: ['8.8.8.1', '2001:4860::1'], failed: false },
		{ name: 'backup.test', addresses: [], failed: true },
	],
	implicit: false,
	targets: ['ada@x.test', 'bob@x.test'],
	needsSmtputf8: false,
	invented: { first: 'qzx@x.test', further: ['a.b@x.test', 'c2@x.test'] },
	deep: 'catch_all',
	fresh: false,
	asker: 'acc_1',
	class: 'list',
	explain: true,
	deadline: NOW + 15_000,
};

/** Over a wire and back. */
const sent = (asked: Question): Question =>
	questionFromWire(question.parse(JSON.parse(JSON.stringify(questionToWire(asked, NOW, false)))), NOW);
const answered = (asked: Asked, about: Pick<Question, 'targets' | 'implicit'> = QUESTION): Asked | null =>
	answerFromWire(answer.parse(JSON.parse(JSON.stringify(answerToWire(asked, NOW, 'r1')))), about, NOW);

describe('a question arrives as it was sent', () => {
	test.each<[string, Partial<Question>]>([
		['about a list', {}],
		['of nobody, about nobody invented', { asker: null, invented: null, class: 'single' }],
		['of a task, over a new connection', { deep: 'always', fresh: true, class: 'small' }],
		['about the domain itself', { implicit: true }],
		['of a caller who has half a second', { class: 'single', paysUntil: NOW + 500 }],
		['of an account that pays for nothing', { class: 'single', paysUntil: NOW }],
		['about mailboxes of other scripts', { targets: ['zoë@x.test'], needsSmtputf8: true }],
	])('%s', (_, changes) => {
		const asked = { ...QUESTION, ...changes };
		expect(sent(asked)).toEqual(asked);
	});

	test('but for hosts and addresses that nobody would dial', () => {
		const addresses = Array.from({ length: 9 }, (_, at) => `8.8.8.${at}`);
		const hosts = Array.from({ length: 9 }, (_, at) => ({ name: `mx${at}`, addresses, failed: false }));
		const arrived = sent({ ...QUESTION, hosts });
		expect(arrived.hosts).toEqual(
			hosts
				.slice(0, HOSTS_MAX)
				.map((host) => ({ ...host, addresses: addresses.slice(0, ADDRESSES_PER_HOST_MAX) })),
		);
	});

	test('with as much time as is left, by the clock of whoever answers', () => {
		const wire = questionToWire(QUESTION, NOW + 5_000, false);
		expect(wire.budgetMs).toBe(10_000);
		expect(questionFromWire(wire, 42).deadline).toBe(10_042);
		expect(questionToWire(QUESTION, NOW + 20_000, false).budgetMs).toBe(0);
	});
});

describe('no command of ours can be forged', () => {
	const withTarget = (target: string): WireQuestion => ({
		...questionToWire(QUESTION, NOW, false),
		targets: [target],
	});

	test.each([
		'ada@x.test>\r\nDATA\r\n',
		'ada\n@x.test',
		'ada@x\r.test',
		'<ada@x.test>',
		'ada>@x.test',
		'ada@<x.test',
		'a b@x.test',
		'ada@x test',
		'ada\0@x.test',
		'ada\u0007@x.test',
		'"ada\r\n"@x.test',
		'"ada\\\r"@x.test',
		'"ada"> b@x.test',
		'ada',
		'@x.test',
		`${'a'.repeat(320)}@x.test`,
	])('by a mailbox like %j', (mailbox) => {
		expect(question.safeParse(withTarget(mailbox)).success).toBe(false);
		const invented = { first: 'qzx@x.test', further: [mailbox] };
		expect(question.safeParse({ ...questionToWire(QUESTION, NOW, false), invented }).success).toBe(false);
	});

	test.each([
		'ada+tag@x.test',
		"o'b@x.test",
		'"a b"@x.test',
		'"a<b>\\""@x.test',
		'"a@b"@x.test',
		'zoë@x.test',
	])('but every address is understood: %s', (mailbox) => {
		const parsed = parseAddress(mailbox);
		expect(parsed.ok && `${parsed.address.localPart}@${parsed.address.domain}`).toBe(mailbox);
		expect(question.safeParse(withTarget(mailbox)).success).toBe(true);
	});

	test('whatever is an address is understood, so that one of them fails no list', () => {
		const part = fc.string({
			unit: fc.constantFrom('a', 'b', '.', 'ë', '<', '>', ' ', '@', '"', '\\', '\r', '\0'),
			minLength: 1,
			maxLength: 8,
		});
		const text = fc.oneof(
			fc.emailAddress(),
			part.map((local) => `${local}@x.test`),
			part.map((local) => `"${local}"@x.test`),
		);
		fc.assert(
			fc.property(text, (email) => {
				const parsed = parseAddress(email);
				if (!parsed.ok) return;
				const mailbox = `${parsed.address.localPart}@${parsed.address.domain}`;
				expect(question.safeParse(withTarget(mailbox)).success).toBe(true);
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe('what came of a question arrives as it was sent', () => {
	test.each<[Asked['answers'][number]]>([
		[{ kind: 'paused', why: 'probe_blocked' }],
		[{ kind: 'postponed', until: NOW + 60_000 }],
		[{ kind: 'unroutable' }],
		[{ kind: 'dns_error' }],
		[null],
	])('%j', (one) => {
		const said = { answers: [one], evidence: [], recipients: 0 };
		expect(answered(said, { targets: ['ada@x.test'], implicit: false })).toEqual(said);
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

	test('whatever the mail host does', async () => {
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
					expect(answered(said, asked)).toEqual(said);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('times by the clock of whoever asked', () => {
		const said = {
			answers: [],
			evidence: [{ step: 'connect', at: 1_200 }],
			recipients: 0,
		} as const;
		const heard = answerFromWire(answerToWire(said, 2_000, 'r1'), { targets: [], implicit: false }, NOW);
		expect(heard?.evidence).toEqual([{ step: 'connect', at: NOW - 800 }]);
	});
});

/** As version 3 sent it: it stands as it is, whatever is added later. */
const ANSWER = {
	version: 4,
	rules: 'r1',
	results: [
		{
			kind: 'heard',
			host: 'aspmx.l.google.com',
			viaBackup: false,
			interpretation: {
				target: { kind: 'rejected', why: 'rejected_email' },
				invented: 'accepted',
				advice: 'final',
				rule: 'unknown.status',
				replyCode: '550 5.1.1',
			},
			readings: ['accepted'],
			words: { target: null, invented: null },
			secured: false,
		},
		null,
	],
	evidence: [{ step: 'rcpt', agoMs: 40, host: 'aspmx.l.google.com', code: 550, text: 'no such user' }],
	recipients: 2,
};
const FIRST_QUESTION = {
	version: 4,
	domain: 'x.test',
	hosts: [{ name: 'mx.x.test', addresses: ['8.8.8.1'], failed: false }],
	implicit: false,
	targets: ['ada@x.test'],
	needsSmtputf8: false,
	invented: { first: 'qzx@x.test', further: [] },
	deep: 'never',
	fresh: false,
	class: 'single',
	asker: null,
	budgetMs: 15_000,
	tells: true,
};

describe('this version', () => {
	test('of an answer is understood, and the operator is known by its host', () => {
		const heard = answerFromWire(answer.parse(ANSWER), QUESTION, NOW);
		expect(heard).toMatchObject({
			answers: [
				{
					kind: 'heard',
					operator: { operator: 'google' },
					interpretation: { target: { kind: 'rejected', why: 'rejected_email' }, invented: 'accepted' },
				},
				null,
			],
			evidence: [{ step: 'rcpt', at: NOW - 40, code: 550 }],
			recipients: 2,
		});
	});

	test('of a question is understood, also with what a later version adds', () => {
		expect(question.parse(FIRST_QUESTION)).toEqual(FIRST_QUESTION);
		expect(question.parse({ ...FIRST_QUESTION, later: 'x' })).toEqual(FIRST_QUESTION);
	});
});

describe('an answer is none', () => {
	const [heard] = ANSWER.results;

	test('to another question', () => {
		expect(answerFromWire(answer.parse({ ...ANSWER, results: [null] }), QUESTION, NOW)).toBeNull();
	});

	test.each<[string, object]>([
		['with a meaning that is none', { results: [{ ...heard, readings: ['perhaps'] }, null] }],
		['with a finding that is none', { results: [{ ...heard, interpretation: { target: null } }, null] }],
		['with a text over the limit', { evidence: [{ step: 'rcpt', agoMs: 0, text: 'x'.repeat(501) }] }],
		['with a kind that is none', { results: [{ kind: 'maybe' }, null] }],
		['without results', { results: undefined }],
		['of another version', { version: 1 }],
	])('%s', (_, changes) => {
		expect(answer.safeParse({ ...ANSWER, ...changes }).success).toBe(false);
	});
});
