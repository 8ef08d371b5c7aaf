import { describe, expect, test } from 'vitest';
import type { CatchAllEvidence, MailEvidence } from '../../../src/core/catchall/evidence.ts';
import { makeSignal, NO_SUCH_USER, OK } from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	DISABLED,
	BLOCKED,
	FULL,
	THREE,
	judge,
	words,
	ruleOf,
} from '../../support/unit/catch-all-judgement.ts';

const noMail = (kind: 'no_such_domain' | 'null_mx' | 'no_mail_host'): Told => ({
	rest: { mail: { kind } satisfies MailEvidence },
});

describe('gates decide whatever the signals say', () => {
	const glowing = [makeSignal('footprint', 35), makeSignal('mailbox', 6)];
	const dismal = [makeSignal('parking', -40), makeSignal('mailbox', -40)];

	test.each<[string, Told, string, string]>([
		['the domain is gone', noMail('no_such_domain'), 'invalid 0 invalid_domain', 'gate:no_domain'],
		['it takes no mail', noMail('null_mx'), 'invalid 0 does_not_accept_mail', 'gate:null_mx'],
		['it has no mail server', noMail('no_mail_host'), 'invalid 0 no_mx_records', 'gate:no_mx'],
		[
			'its servers have no public address',
			{ probe: { kind: 'unroutable' } },
			'invalid 0 unroutable_mx',
			'gate:no_mx',
		],
		[
			'its registration has ended',
			{ rest: { registrationEnded: true } },
			'invalid 0 catch_all_invalid',
			'gate:domain_expired',
		],
		[
			'the address is refused and strangers are accepted',
			{ target: NO_SUCH_USER },
			'invalid 2 catch_all_invalid',
			'gate:recipient_rejected',
		],
		[
			'it is disabled and strangers are accepted',
			{ target: DISABLED },
			'invalid 2 catch_all_invalid',
			'gate:recipient_rejected',
		],
		[
			'it is refused like every stranger',
			{ target: NO_SUCH_USER, invented: [NO_SUCH_USER] },
			'invalid 2 rejected_email',
			'gate:recipient_rejected',
		],
		[
			'it is disabled, and strangers were not asked',
			{ target: DISABLED, invented: [null] },
			'invalid 2 mailbox_disabled',
			'gate:recipient_rejected',
		],
		[
			'it is accepted and two strangers are refused',
			{ invented: [NO_SUCH_USER, NO_SUCH_USER] },
			'valid 97 accepted_email',
			'gate:not_catch_all',
		],
		[
			'a message bounced',
			{ rest: { ownOutcome: { kind: 'hard_bounce', ageDays: 180 } } },
			'invalid 2 catch_all_invalid',
			'gate:own_bounce',
		],
		[
			'a message arrived',
			{ rest: { ownOutcome: { kind: 'delivered', ageDays: 90 } } },
			'valid 98 catch_all_valid',
			'gate:own_delivery',
		],
		['it is full for good', { target: FULL }, 'invalid 3 catch_all_invalid', 'gate:mailbox_full'],
	])('%s', (_, told, expected, rule) => {
		for (const signals of [[], glowing, dismal]) {
			const judgement = judge({ ...told, rest: { signals, ...told.rest } });
			expect(words(judgement)).toBe(expected);
			expect(ruleOf(judgement)).toEqual([rule]);
		}
	});

	test.each<[string, CatchAllEvidence['ownOutcome']]>([
		['a bounce of 181 days ago', { kind: 'hard_bounce', ageDays: 181 }],
		['a delivery of 91 days ago', { kind: 'delivered', ageDays: 91 }],
	])('%s is too old to decide', (_, ownOutcome) => {
		expect(judge({ rest: { ownOutcome } })).toEqual(judge());
	});

	test.each<[string, Told, string]>([
		[
			'a dead domain before a delivery',
			{
				...noMail('null_mx'),
				rest: { mail: { kind: 'null_mx' }, ownOutcome: { kind: 'delivered', ageDays: 1 } },
			},
			'gate:null_mx',
		],
		[
			'an ended registration before a refusal',
			{ target: NO_SUCH_USER, rest: { registrationEnded: true } },
			'gate:domain_expired',
		],
		[
			'a refusal before a delivery',
			{ target: NO_SUCH_USER, rest: { ownOutcome: { kind: 'delivered', ageDays: 1 } } },
			'gate:recipient_rejected',
		],
		[
			'a bounce before no catch-all, since what was accepted may bounce later',
			{ invented: THREE(NO_SUCH_USER), rest: { ownOutcome: { kind: 'hard_bounce', ageDays: 1 } } },
			'gate:own_bounce',
		],
		[
			'a bounce before a refusal to say',
			{ target: BLOCKED, rest: { ownOutcome: { kind: 'hard_bounce', ageDays: 1 } } },
			'gate:own_bounce',
		],
		[
			'a delivery before a server that is away',
			{ probe: { kind: 'no_connect' }, rest: { ownOutcome: { kind: 'delivered', ageDays: 1 } } },
			'gate:own_delivery',
		],
		[
			'a delivery before a full mailbox',
			{ target: FULL, rest: { ownOutcome: { kind: 'delivered', ageDays: 1 } } },
			'gate:own_delivery',
		],
		[
			'a full mailbox before a blocked stranger',
			{ target: FULL, invented: [OK, BLOCKED] },
			'gate:mailbox_full',
		],
		[
			'a refusal before a blocked stranger',
			{ target: NO_SUCH_USER, invented: [OK, BLOCKED] },
			'gate:recipient_rejected',
		],
		[
			'a refusal before strangers that disagree',
			{ target: NO_SUCH_USER, invented: [OK, NO_SUCH_USER] },
			'gate:recipient_rejected',
		],
	])('in their order: %s', (_, told, rule) => {
		expect(ruleOf(judge(told))).toEqual([rule]);
	});

	test.each([
		['disposable', { disposable: true, suggestedDomain: null }],
		["a slip away from a provider's", { disposable: false, suggestedDomain: 'gmail.com' }],
	])('a delivery at a domain that is %s makes nothing valid; a bounce there counts', (_, lists) => {
		const at = (kind: 'delivered' | 'hard_bounce') =>
			judge({ rest: { lists, ownOutcome: { kind, ageDays: 1 } } }).verdict;
		expect([at('delivered'), at('hard_bounce')]).toEqual(['invalid', 'invalid']);
		expect(ruleOf(judge({ rest: { lists, ownOutcome: { kind: 'delivered', ageDays: 1 } } }))).toEqual([]);
	});

	test('what an own message came to is shown in the list section, the rest in smtp', () => {
		const own = judge({ rest: { ownOutcome: { kind: 'delivered', ageDays: 1 } } }).breakdown;
		expect([own.list, own.smtp.score]).toEqual([{ score: 27, signals: ['gate:own_delivery'] }, 0]);
		const refused = judge({ target: NO_SUCH_USER }).breakdown;
		expect(refused.list).toEqual({ score: 0, signals: [] });
		expect(refused.smtp.signals).toContain('gate:recipient_rejected');
	});
});
