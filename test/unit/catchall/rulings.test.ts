import { describe, expect, test } from 'vitest';
import type { MailRoute } from '../../../src/core/dns/find-mail-exchangers.ts';
import { finding } from '../../../src/core/catchall/table.ts';
import { MIMECAST, NO_SUCH_USER, OK, PROOFPOINT, YAHOO } from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	BLOCKED,
	BUSY,
	DISABLED,
	FULL,
	FULL_FOR_NOW,
	GREYLISTED,
	LIMITED,
	POLICY,
	TEMPORARY,
	THREE,
	judge,
	ruleOf,
	words,
} from '../../support/unit/catch-all-judgement.ts';

const noMail = (kind: 'no_such_domain' | 'null_mx' | 'no_mail_host'): Told => ({
	rest: { route: { kind } satisfies MailRoute },
});

const glowing = [finding('published:onsite'), finding('role')];
const dismal = [finding('parking:found'), finding('placeholder')];

describe('gates decide whatever was found', () => {
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
			{ rest: { ownOutcome: 'hard_bounce' } },
			'invalid 2 catch_all_invalid',
			'gate:own_bounce',
		],
		[
			'a message arrived',
			{ rest: { ownOutcome: 'delivered' } },
			'valid 98 catch_all_valid',
			'gate:own_delivery',
		],
		['it is full for good', { target: FULL }, 'invalid 3 catch_all_invalid', 'gate:mailbox_full'],
	])('%s', (_, told, expected, rule) => {
		for (const findings of [[], glowing, dismal]) {
			const judgement = judge({ ...told, rest: { findings, ...told.rest } });
			expect(words(judgement)).toBe(expected);
			expect(ruleOf(judgement)).toEqual([rule]);
		}
	});

	test.each<[string, Told, string]>([
		[
			'a dead domain before a delivery',
			{
				...noMail('null_mx'),
				rest: { route: { kind: 'null_mx' }, ownOutcome: 'delivered' },
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
			{ target: NO_SUCH_USER, rest: { ownOutcome: 'delivered' } },
			'gate:recipient_rejected',
		],
		[
			'a bounce before no catch-all, since what was accepted may bounce later',
			{ invented: THREE(NO_SUCH_USER), rest: { ownOutcome: 'hard_bounce' } },
			'gate:own_bounce',
		],
		[
			'a bounce before a refusal to say',
			{ target: BLOCKED, rest: { ownOutcome: 'hard_bounce' } },
			'gate:own_bounce',
		],
		[
			'a delivery before a server that is away',
			{ probe: { kind: 'no_connect', tried: 1 }, rest: { ownOutcome: 'delivered' } },
			'gate:own_delivery',
		],
		[
			'a delivery before a full mailbox',
			{ target: FULL, rest: { ownOutcome: 'delivered' } },
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
		const at = (kind: 'delivered' | 'hard_bounce') => judge({ rest: { lists, ownOutcome: kind } }).verdict;
		expect([at('delivered'), at('hard_bounce')]).toEqual(['unknown', 'invalid']);
	});

	test('what an own message came to is shown in the list section, the rest in smtp', () => {
		const own = judge({ rest: { ownOutcome: 'delivered' } }).breakdown;
		expect([own.list, own.smtp.score]).toEqual([{ score: 28, signals: ['gate:own_delivery'] }, 0]);
		const refused = judge({ target: NO_SUCH_USER }).breakdown;
		expect(refused.list).toEqual({ score: 0, signals: [] });
		expect(refused.smtp.signals).toContain('gate:recipient_rejected');
	});
});

describe('nothing is claimed', () => {
	test.each<[string, Told, string, string]>([
		// Nobody could be reached.
		['no host takes a connection', { probe: { kind: 'no_connect', tried: 1 } }, 'no_connect', 'no_connect'],
		['the host stays silent', { target: null, end: { kind: 'timeout' } }, 'timeout', 'timeout'],
		['the host hangs up', { target: null, end: { kind: 'closed' } }, 'unavailable_smtp', 'unavailable_smtp'],
		['only a backup answers', { viaBackup: true }, 'no_connect', 'no_connect'],
		[
			'it wants encryption',
			{ target: '530 5.7.0 Must issue a STARTTLS command first' },
			'tls_required',
			'tls_required',
		],
		// They do not want us.
		['we are blocked', { target: BLOCKED, invented: THREE(null) }, 'probe_blocked', 'probe_blocked'],
		[
			'we are left out for a while',
			{ probe: { kind: 'paused', why: 'probe_blocked' } },
			'probe_blocked',
			'probe_blocked',
		],
		['we are blocked for one stranger', { invented: [OK, OK, BLOCKED] }, 'probe_blocked', 'probe_blocked'],
		['a policy refuses us', { target: POLICY }, 'antispam_system', 'antispam_system'],
		[
			'a gateway refuses to say',
			{ host: PROOFPOINT, target: POLICY },
			'gateway_protected',
			'gateway_protected',
		],
		[
			'a gateway refuses to say it of strangers',
			{ host: PROOFPOINT, invented: THREE(POLICY) },
			'gateway_protected',
			'gateway_protected',
		],
		[
			'a host refuses to say it of strangers',
			{ invented: THREE(POLICY) },
			'antispam_system',
			'antispam_system',
		],
		[
			'nobody can explain what it says of strangers',
			{ invented: THREE('550 xyzzy') },
			'antispam_system',
			'antispam_system',
		],
		// Come back later.
		[
			'the address is greylisted',
			{ target: GREYLISTED, invented: THREE(GREYLISTED) },
			'greylisted',
			'greylisted',
		],
		['strangers are greylisted', { invented: THREE(GREYLISTED) }, 'greylisted', 'greylisted'],
		['strangers are put off', { invented: THREE(TEMPORARY) }, 'unavailable_smtp', 'unavailable_smtp'],
		['one stranger is put off', { invented: [OK, OK, TEMPORARY] }, 'catch_all_unresolved', 'put_off'],
		[
			'the further strangers are greylisted',
			{ invented: [OK, GREYLISTED, GREYLISTED] },
			'catch_all_unresolved',
			'put_off',
		],
		[
			'Mimecast puts strangers off',
			{ host: MIMECAST, invented: THREE('451 Recipient temporarily unavailable') },
			'unavailable_smtp',
			'unavailable_smtp',
		],
		// Too fast.
		['we ask too much', { target: LIMITED, invented: THREE(LIMITED) }, 'rate_limited', 'rate_limited'],
		['we ask too much for a stranger', { invented: [OK, LIMITED] }, 'rate_limited', 'rate_limited'],
		[
			'we are slowed for a while',
			{ probe: { kind: 'paused', why: 'rate_limited' } },
			'rate_limited',
			'rate_limited',
		],
		[
			'a refusal came while strangers were limited',
			{ target: NO_SUCH_USER, invented: [LIMITED] },
			'rate_limited',
			'rate_limited',
		],
		[
			'a refusal came while strangers were blocked',
			{ target: NO_SUCH_USER, invented: [BLOCKED] },
			'probe_blocked',
			'probe_blocked',
		],
		// It contradicts itself.
		['strangers disagree', { invented: [OK, NO_SUCH_USER] }, 'catch_all_unresolved', 'randoms_disagree'],
		[
			'the one stranger is refused this time',
			{ invented: [NO_SUCH_USER] },
			'catch_all_unresolved',
			'randoms_disagree',
		],
		['one stranger is no proof', { invented: [OK] }, 'catch_all_unresolved', 'unconfirmed'],
		['no stranger was asked', { invented: [] }, 'catch_all_unresolved', 'unconfirmed'],
		['a stranger got no answer', { invented: [OK, OK, null] }, 'catch_all_unresolved', 'unconfirmed'],
		// The names could not be looked up.
		[
			'the MX is not known',
			{ rest: { route: { kind: 'undetermined', cause: 'timeout' } } },
			'dns_error',
			'dns_error',
		],
		['the addresses are not known', { probe: { kind: 'dns_error' } }, 'dns_error', 'dns_error'],
		// It says yes to everybody.
		['Yahoo accepts it', { host: YAHOO, invented: [] }, 'accepts_everything', 'accepts_everything'],
		// Not now.
		['it is full for now', { target: FULL_FOR_NOW }, 'catch_all_unresolved', 'mailbox_full'],
		[
			'the server can not read the address',
			{ target: null, end: { kind: 'smtputf8_missing' } },
			'smtputf8_unsupported',
			'smtputf8_unsupported',
		],
	])('%s', (_, told, subStatus, rule) => {
		for (const findings of [[], [finding('role')], dismal]) {
			const judgement = judge({ ...told, rest: { findings, ...told.rest } });
			expect(words(judgement)).toBe(`unknown 50 ${subStatus}`);
			expect(ruleOf(judgement)).toEqual([`unknown:${rule}`]);
		}
	});

	test('but the domain itself may publish an address at a provider that accepts everybody', () => {
		expect(words(judge({ host: YAHOO, invented: [], rest: { findings: glowing } }))).toBe(
			'valid 88 catch_all_valid',
		);
	});

	test('but two accepted strangers are enough to call the domain a catch-all', () => {
		expect(ruleOf(judge({ invented: [OK, OK] }))).toEqual([]);
	});

	test('but a backup that speaks of the mailbox itself is believed', () => {
		expect(judge({ viaBackup: true, target: BUSY }).verdict).toBe('valid');
	});

	test('a Yahoo mailbox that receives too much mail exists', () => {
		expect(judge({ host: YAHOO, target: BUSY, invented: [] }).subStatus).not.toBe('accepts_everything');
	});

	test('of a domain one slip from a large provider, or a disposable one, that refuses strangers', () => {
		for (const lists of [
			{ disposable: false, suggestedDomain: 'gmail.com' },
			{ disposable: true, suggestedDomain: null },
		])
			expect(ruleOf(judge({ invented: THREE(NO_SUCH_USER), rest: { lists } }))).toEqual([
				'unknown:doubtful_domain',
			]);
	});
});
