import { describe, expect, test } from 'vitest';
import {
	GOOGLE,
	makeSignal,
	MIMECAST,
	NO_SUCH_USER,
	OK,
	PROOFPOINT,
	YAHOO,
} from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	BLOCKED,
	GREYLISTED,
	TEMPORARY,
	LIMITED,
	POLICY,
	FULL_FOR_NOW,
	BUSY,
	THREE,
	judge,
	words,
	ruleOf,
} from '../../support/unit/catch-all-judgement.ts';

describe('nothing is claimed', () => {
	test.each<[string, Told, string, string]>([
		// Nobody could be reached.
		['no host takes a connection', { probe: { kind: 'no_connect' } }, 'no_connect', 'no_connect'],
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
			{ rest: { mail: { kind: 'undetermined', cause: 'timeout' } } },
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
		const signals = [makeSignal('mailbox', 6)];
		for (const points of [-80, 0, 14]) {
			const rest = { signals: [...signals, makeSignal('history', points)], ...told.rest };
			const judgement = judge({ ...told, rest });
			expect([judgement.verdict, judgement.subStatus]).toEqual(['unknown', subStatus]);
			expect(ruleOf(judgement)).toEqual([`unknown:${rule}`]);
			expect(judgement.score).toBeGreaterThanOrEqual(45);
			expect(judgement.score).toBeLessThanOrEqual(87);
		}
	});

	test.each<[string, number, string]>([
		['without enough public evidence', 14, 'unknown 87 accepts_everything'],
		['but with it the score decides', 15, 'unknown 87 catch_all_unresolved'],
		['and may be enough', 30, 'valid 95 catch_all_valid'],
	])('of an address at Yahoo %s', (_, points, expected) => {
		const signals = [makeSignal('footprint', points)];
		expect(words(judge({ host: YAHOO, invented: [], rest: { signals } }))).toBe(expected);
	});

	test('but two accepted strangers are enough to call the domain a catch-all', () => {
		expect(ruleOf(judge({ invented: [OK, OK] }))).toEqual([]);
	});

	test('but a backup that speaks of the mailbox itself is believed', () => {
		expect(ruleOf(judge({ viaBackup: true, target: BUSY }))).toEqual([]);
		expect(judge({ viaBackup: true, target: BUSY }).verdict).toBe('valid');
	});

	test('a Yahoo mailbox that receives too much mail exists', () => {
		expect(judge({ host: YAHOO, target: BUSY, invented: [] }).subStatus).not.toBe('accepts_everything');
	});

	test('of a domain one slip from a large provider, or a disposable one, nothing good is claimed', () => {
		const signals = [makeSignal('footprint', 35), makeSignal('history', 20)];
		for (const lists of [
			{ disposable: false, suggestedDomain: 'gmail.com' },
			{ disposable: true, suggestedDomain: null },
		]) {
			const accepted = judge({ host: GOOGLE, target: BUSY, rest: { lists, signals } });
			expect([words(accepted), ruleOf(accepted)]).toEqual([
				'unknown 87 catch_all_unresolved',
				['unknown:doubtful_domain'],
			]);
			const told = judge({ invented: THREE(NO_SUCH_USER), rest: { lists, signals } });
			expect([told.verdict, ruleOf(told)]).toEqual(['unknown', ['unknown:doubtful_domain']]);
			// On what it looks like alone it is still judged.
			expect(judge({ rest: { lists } }).verdict).toBe('invalid');
		}
	});
});
