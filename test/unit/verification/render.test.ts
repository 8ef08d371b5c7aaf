import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decidedBy, renderResult } from '../../../src/core/verification/render.ts';
import type { ListFacts, Outcome } from '../../../src/core/verification/render.ts';
import { SUB_STATUSES, statusOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { NO_FACTS } from '../../support/unit/listed-rows.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const AT = Date.UTC(2026, 10, 21, 10);

const AT_GOOGLE = { catchAll: false, mxRecord: 'aspmx.l.google.com', smtpProvider: 'google' };
const render = (text: string, facts: Partial<ListFacts> = {}, outcome: Partial<Outcome> = {}) => {
	const full = { ...decidedBy('smtp', 'accepted_email'), ...AT_GOOGLE, ...outcome };
	return renderResult(addressOf(text), { ...NO_FACTS, ...facts }, full, AT);
};

test.each([
	['freeEmail', 'free_email', 97],
	['roleAccount', 'role_account', 90],
	['disposable', 'disposable', 90],
	['noReply', 'no_reply', 90],
] as const)(
	'%s of the lists is %s in the result alone, and makes a score of %i',
	(fact, attribute, score) => {
		const result = render('ada@x.test', { [fact]: true });
		expect(result.deliverability_score).toBe(score);
		const flags = Object.entries(result.details.attributes).filter(([, value]) => value === true);
		expect(flags).toEqual([[attribute, true]]);
	},
);

const MX = { own: 'mx.acme.example', google: 'aspmx.l.google.com', comcast: 'mx1.comcast.net' };
const outlook = 'hotmail-com.olc.protection.outlook.com';

test.each<[string, string, Partial<Outcome>, number, string]>([
	['may be at a catch-all', 'ada@acme.example', { mxRecord: MX.own }, 90, 'medium'],
	['so it may at its own address', 'ada@acme.example', { mxRecord: null }, 90, 'medium'],
	['so may a customer of Google', 'ada@acme.example', { mxRecord: MX.google }, 90, 'medium'],
	['is not, where invented ones are refused', 'ada@acme.example', { catchAll: false }, 97, 'low'],
	['is not at Gmail, where nobody can set one up', 'ada@gmail.com', { mxRecord: MX.google }, 97, 'low'],
	['nor at an Internet provider', 'ada@acme.example', { mxRecord: MX.comcast }, 97, 'low'],
	['nor at Outlook, which is not asked', 'ada@acme.example', { mxRecord: outlook }, 97, 'low'],
	['is not, if only a mailbox gets the reply', 'ada@acme.example', { replyCode: '450 4.2.1' }, 97, 'low'],
	['is not, if a message arrived', 'ada@acme.example', { method: 'list', replyCode: null }, 97, 'low'],
])('accepted where no invented recipient was answered, it %s: %s, %o', (_, email, more, score, risk) => {
	const { deliverability_score: scored, risk_level: level } = render(
		email,
		{},
		{ catchAll: null, replyCode: '250 2.1.5', ...more },
	);
	expect([scored, level]).toEqual([score, risk]);
});

test.each<[SubStatus, boolean | null]>([
	['mailbox_full', true],
	['accepted_email', false],
	['possible_typo', false],
	['catch_all_valid', null],
	['rejected_email', null],
	['timeout', null],
	['disposable', null],
])('of %s it is told that the mailbox is full: %s', (subStatus, full) => {
	expect(render('ada@x.test', {}, { subStatus }).details.attributes.mailbox_full).toBe(full);
});

test('a probable typing error is corrected in the domain only', () => {
	expect(render('Jane.Doe+x@gmial.com', { suggestedDomain: 'gmail.com' }).did_you_mean).toBe(
		'Jane.Doe+x@gmail.com',
	);
	expect(render('"a@b"@gmial.com', { suggestedDomain: 'gmail.com' }).did_you_mean).toBe('"a@b"@gmail.com');
});

test('status, is_valid, score, action and retry_after always agree', () => {
	const findings = fc.record({
		subStatus: fc.constantFrom(...(Object.keys(SUB_STATUSES) as SubStatus[])),
		replyCode: fc.constantFrom(null, '250', '451 4.3.0', '554 5.7.1'),
		catchAllScore: fc.option(fc.nat(100)),
	});
	fc.assert(
		fc.property(findings, fc.boolean(), (outcome, roleAccount) => {
			const result = render('ada@x.test', { roleAccount }, outcome);
			const { status, action, deliverability_score: score, retry_after: retryAfter } = result;
			expect(result.details.sub_status).toBe(outcome.subStatus);
			expect(status).toBe(statusOf(outcome.subStatus));
			for (const isSent of [result.is_valid, action === 'send', score >= 80])
				expect(isSent).toBe(status === 'deliverable');
			for (const isDropped of [action === 'drop', score <= 20])
				expect(isDropped).toBe(status === 'undeliverable');
			expect(action === 'retry').toBe(retryAfter !== null);
			if (retryAfter !== null) expect(status).toBe('unknown');
		}),
		{ numRuns: 300 },
	);
});

describe('retry_after', () => {
	const HOUR = 3_600;
	test.each<[Partial<Outcome>, number | null]>([
		[{ subStatus: 'greylisted' }, 900],
		[{ subStatus: 'rate_limited' }, 900],
		[{ subStatus: 'timeout' }, 300],
		[{ subStatus: 'no_capacity' }, 60],
		[{ subStatus: 'no_capacity', retryAfterSeconds: 7 }, 7],
		[{ subStatus: 'unavailable_smtp', replyCode: '451 4.3.0' }, 900],
		[{ subStatus: 'no_connect' }, 4 * HOUR],
		[{ subStatus: 'dns_error' }, 2 * HOUR],
		[{ subStatus: 'probe_blocked', replyCode: '554 5.7.1' }, 24 * HOUR],
		[{ subStatus: 'unexpected_error' }, 2 * HOUR],
		// It is ten in the morning, and the day's free answers begin anew at midnight UTC.
		[{ subStatus: 'free_limit' }, 14 * HOUR],
		// The server will say the same again.
		[{ subStatus: 'unavailable_smtp', replyCode: '554 5.7.1' }, null],
	])('of %j is %j', (outcome, seconds) => {
		expect(render('ada@x.test', {}, outcome).retry_after).toBe(seconds);
	});

	test('is there for these alone, whatever the reply', () => {
		const again = (Object.keys(SUB_STATUSES) as SubStatus[]).filter((subStatus) =>
			[null, '451 4.3.0', '554 5.7.1'].some(
				(replyCode) => render('ada@x.test', {}, { subStatus, replyCode }).retry_after !== null,
			),
		);
		const words = 'timeout no_connect unavailable_smtp greylisted rate_limited probe_blocked dns_error';
		const ours = 'no_capacity free_limit unexpected_error';
		expect(again).toEqual(expect.arrayContaining(`${words} ${ours}`.split(' ')));
		expect(again).toHaveLength(10);
	});
});

test('an address of a privacy relay is one', () => {
	const isRelay = (email: string) => render(email).details.attributes.privacy_relay;
	expect(['ada@me.duck.com', 'ada@gmail.com'].map(isRelay)).toEqual([true, false]);
});

test.each([
	['hfjsdkfhqx@x.test', true],
	['jane.doe@x.test', false],
	['rechnungswesen@x.test', false],
	// Few letters prove little, and other scripts are not judged.
	['xkjqwpz@x.test', null],
	['иванов@x.test', null],
])('the name of %s is gibberish: %j', (email, expected) => {
	expect(render(email).details.attributes.gibberish).toBe(expected);
});
