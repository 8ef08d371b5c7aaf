import assert from 'node:assert/strict';
import { encode } from 'dns-packet';
import type { Packet } from 'dns-packet';
import { issueApiKey, readApiKey } from '../../../src/core/keys/api-key.ts';
import {
	ADDRESS_OCTETS_MAX,
	LOCAL_PART_OCTETS_MAX,
	parseAddress,
} from '../../../src/core/address/parse-address.ts';
import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import { ReplyReader } from '../../../src/core/smtp/reply-reader.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { batchRequest } from '../../../src/http/schemas/batch.ts';
import { ListBody } from '../../../src/http/list-body.ts';
import { readListText } from '../../../src/http/list-text.ts';
import { verifyRequest } from '../../../src/http/schemas/verification.ts';
import { taskRequest } from '../../../src/http/schemas/task.ts';
import { newWebhook } from '../../../src/http/schemas/webhook.ts';
import { readAnswer } from '../../../src/net/dns-message.ts';
import { answerAt, questionAt, sentAnswer, sentQuestion, VERSION } from '../../../src/wire/prober.ts';
import { makeQuestion } from '../unit/question.ts';
import { makePlan } from '../unit/smtp-plan.ts';
import { FILE_TARGETS } from './file-targets.ts';
import { mutated, orRefused } from './target.ts';
import type { FuzzTarget } from './target.ts';

const decoder = new TextDecoder();
const NOW = 1_800_000_000_000;

function asJson(input: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(input));
	} catch {
		return undefined;
	}
}

// --- mail servers ---------------------------------------------------------------------------------------------------

const SMTP_WORDS = [
	'220 mx.test\r\n',
	'250-',
	'250 ',
	'550 5.1.1 ',
	'421 4.7.0 ',
	'354 ',
	'334 ',
	'999 ',
	'\n',
	'#5.1.0',
	'5.1.1111',
	'\r',
	'-',
];
const SMTP_TALKS = [
	'220 mx.test ESMTP\r\n250-mx.test\r\n250-PIPELINING\r\n250 SMTPUTF8\r\n250 ok\r\n250 2.1.5 ok\r\n550 5.1.1 no such user\r\n221 bye\r\n',
	'220-wait\r\n220 mx.test\r\n500 what\r\n250 mx.test\r\n250 ok\r\n450 4.2.0 greylisted, come back in 300 seconds\r\n',
	'554 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org\r\n',
	'220 mx.test\r\n250-mx.test\r\n250 STARTTLS\r\n530 5.7.0 Must issue a STARTTLS command first\r\n',
];

const replies: FuzzTarget = {
	name: 'smtp replies',
	input: mutated(SMTP_TALKS, SMTP_WORDS),
	read: (input) => {
		const reader = new ReplyReader();
		const heard = reader.push(input);
		const dripped = new ReplyReader();
		const octets = Array.from(input, (octet) => Uint8Array.of(octet));
		const drops = octets.flatMap((octet) => dripped.push(octet));
		assert.deepEqual([drops, dripped.isFaulty], [heard, reader.isFaulty], 'however the network cuts it');
		for (const reply of heard) {
			assert(reply.code >= 200 && reply.code <= 599);
			const { meaning } = classifyReply({ stage: 'rcpt', reply, recipient: 'ada@x.test', operator: null });
			// RFC 5321 §4.2.1: what is for now says nothing about a mailbox.
			assert(
				reply.code >= 500 || meaning !== 'no_such_mailbox',
				`${reply.code} said that there is no mailbox`,
			);
		}
	},
};

const conversations: FuzzTarget = {
	name: 'smtp conversations',
	input: mutated(SMTP_TALKS, SMTP_WORDS),
	read: (input) => {
		const session = new SmtpSession(makePlan());
		// A line at a time, as a server answers.
		for (let from = 0; from < input.length;) {
			const end = input.indexOf(0x0a, from);
			const to = end === -1 ? input.length : end + 1;
			const said = decoder.decode(session.receive(input.subarray(from, to)));
			assert(!said.includes('DATA'), 'nothing makes us send a message');
			from = to;
		}
		session.giveUp('closed');
		assert.equal(session.report().targets.length, 1);
	},
};

// --- resolvers ------------------------------------------------------------------------------------------------------

const dnsMessage = (changes: Partial<Packet>): Uint8Array =>
	encode({ type: 'response', id: 0, flags: 0, questions: [{ type: 'MX', name: 'x.test' }], ...changes });

const dns: FuzzTarget = {
	name: 'dns answers',
	input: mutated([
		dnsMessage({
			answers: [{ type: 'MX', name: 'x.test', ttl: 300, data: { preference: 10, exchange: 'mx.x.test' } }],
		}),
		dnsMessage({
			answers: [
				{ type: 'CNAME', name: 'x.test', ttl: 60, data: 'y.test' },
				{ type: 'MX', name: 'y.test', ttl: 60, data: { preference: 0, exchange: '.' } },
			],
		}),
		dnsMessage({
			answers: [{ type: 'TXT', name: 'x.test', ttl: 60, data: ['v=spf1 ', 'include:_spf.x.test ~all'] }],
		}),
		dnsMessage({
			authorities: [
				{
					type: 'SOA',
					name: 'test',
					ttl: 60,
					data: {
						mname: 'ns.test',
						rname: 'h.test',
						serial: 1,
						refresh: 1,
						retry: 1,
						expire: 1,
						minimum: 60,
					},
				},
			],
		}),
	]),
	read: (input) => {
		for (const type of ['MX', 'A', 'AAAA', 'TXT', 'NS', 'CNAME'] as const) {
			const reading = readAnswer(input, 'x.test', type);
			if (reading.kind === 'answer') assert(reading.ttlSeconds >= 0);
		}
	},
};

// --- probers --------------------------------------------------------------------------------------------------------

const QUESTION = JSON.stringify({
	version: VERSION,
	sentAt: NOW,
	tells: true,
	question: makeQuestion({
		hosts: [{ name: 'mx.x.test', addresses: ['8.8.8.8', '2001:4860::1'], failed: false }],
		targets: ['ada@x.test', 'bob@x.test'],
		invented: { first: 'qzx@x.test', further: ['a.b@x.test'] },
		deep: 'catch_all',
		class: 'list',
		deadline: NOW + 15_000,
	}),
});
const ANSWER = JSON.stringify({
	version: VERSION,
	rules: 'r1',
	sentAt: NOW,
	answers: [
		{
			kind: 'heard',
			host: 'mx.x.test',
			viaBackup: false,
			interpretation: {
				target: { kind: 'rejected', why: 'rejected_email' },
				invented: 'accepted',
				advice: 'final',
				rule: 'unknown.status',
				replyCode: '550 5.1.1',
			},
			readings: ['accepted', 'no_reply'],
			words: { target: ['a1', 'b2'], invented: ['c3', 'd4'] },
			secured: false,
		},
		{ kind: 'postponed', until: NOW + 5_000 },
	],
	evidence: [
		{ step: 'connect', at: NOW - 90, text: '8.8.8.8: connected' },
		{
			step: 'rcpt',
			at: NOW - 80,
			host: 'mx.x.test',
			code: 550,
			enhanced: '5.1.1',
			text: 'no',
			likelihood: 0.9,
		},
	],
	recipients: 3,
});
// The unchanged question must be readable, or the changes would be tried on what is refused anyway.
sentQuestion.parse(JSON.parse(QUESTION));
sentAnswer.parse(JSON.parse(ANSWER));
const JSON_WORDS = String.raw`{ } [ ] , " \u0000 -1 1e999 null true "__proto__": "\ud800"`.split(' ');

const questions: FuzzTarget = {
	name: "a prober's questions",
	input: mutated([QUESTION], JSON_WORDS),
	read: (input) => {
		const parsed = sentQuestion.safeParse(asJson(input));
		if (!parsed.success) return;
		const { targets } = questionAt(NOW, parsed.data);
		for (const target of targets) assert(!/[\r\n]/.test(target), 'a mailbox ends no command');
	},
};

const answers: FuzzTarget = {
	name: "a prober's answers",
	input: mutated([ANSWER], JSON_WORDS),
	read: (input) => {
		const parsed = sentAnswer.safeParse(asJson(input));
		if (!parsed.success) return;
		assert(answerAt(NOW, parsed.data).answers.length === parsed.data.answers.length);
	},
};

// --- customers ------------------------------------------------------------------------------------------------------

const addresses: FuzzTarget = {
	name: 'addresses',
	input: mutated(
		[
			'ada@example.com',
			'"a b"@x.test',
			'ä@bücher.test',
			'a+b@xn--bcher-kva.test',
			'x@[192.0.2.1]',
			`${'a'.repeat(64)}@${'b'.repeat(60)}.test`,
		],
		[
			'@',
			'.',
			'..',
			'"',
			'\\',
			'xn--',
			'。',
			'\u202e',
			'\u200d',
			'\u0301',
			'Σ',
			'ß',
			'İ',
			'+',
			' ',
			'<',
			'>',
			'(',
			'@b.de',
		],
	),
	read: (input) => {
		const parsed = parseAddress(decoder.decode(input));
		if (!parsed.ok) return;
		const { email, localPart, domain } = parsed.address;
		assert(!/[\p{C}\p{Zl}\p{Zp}]/u.test(email), 'an address hides nothing, and ends no command');
		assert.equal(email, email.normalize('NFC'));
		assert.equal(email.slice(0, email.lastIndexOf('@')), localPart, 'it splits at the last @');
		assert(Buffer.byteLength(localPart) <= LOCAL_PART_OCTETS_MAX);
		assert(Buffer.byteLength(`${localPart}@${domain}`) <= ADDRESS_OCTETS_MAX);
		assert(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]+)$/.test(domain), 'it is ASCII');
		assert.deepEqual(parseAddress(email), parsed, 'an address reads as itself');
		const ascii = parseAddress(`${localPart}@${domain}`);
		assert(ascii.ok && ascii.address.domain === domain);
	},
};

const SIGNING = [{ version: 1, secret: new Uint8Array(32).fill(7) }];
const { apiKey } = issueApiKey(
	{ version: 1, secret: new Uint8Array(32).fill(7) },
	{ account: new Uint8Array(10).fill(1), key: new Uint8Array(6).fill(2), secret: new Uint8Array(20).fill(3) },
);

const keys: FuzzTarget = {
	name: 'API keys',
	input: mutated([apiKey, apiKey.replace('live', 'test')], ['ms_live_', 'ms_test_']),
	read: (input) => {
		const text = decoder.decode(input);
		if (readApiKey(SIGNING, text) !== null) assert.equal(text, apiKey, 'only the key that was issued opens');
	},
};

const BODIES = [
	'{"email":"ada@x.test"}',
	'{"emails":["ada@x.test","bob@x.test"],"name":"March","rescue":true}',
	'Name,Email\n"Ada, B",ada@x.test\n',
	'{"jobId":"job_abc","name":"July"}',
	'{"url":"https://x.test/hook","events":["job.completed"]}',
];

const bodies: FuzzTarget = {
	name: 'request bodies',
	input: mutated(BODIES, [...JSON_WORDS, '"emails":', '["a@x.test",']),
	read: (input) => {
		const value = asJson(input);
		for (const schema of [verifyRequest, taskRequest, newWebhook]) schema.safeParse(value);
		const body = new ListBody('emails', 1_000);
		orRefused(() => {
			for (let from = 0; from < input.length; from += 7) body.write(input.subarray(from, from + 7));
			return batchRequest.safeParse(body.end());
		});
		for (const type of ['text/plain', 'text/csv'] as const) orRefused(() => readListText(input, type, 1_000));
	},
};

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
	replies,
	conversations,
	dns,
	questions,
	answers,
	addresses,
	keys,
	bodies,
	...FILE_TARGETS,
];
