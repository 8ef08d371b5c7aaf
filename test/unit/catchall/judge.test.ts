import { describe, expect, test } from 'vitest';
import { COVERAGE_WEIGHTS, coverageOf } from '../../../src/core/catchall/breakdown.ts';
import type { CoverageItem } from '../../../src/core/catchall/breakdown.ts';
import { listEffectOf } from '../../../src/core/catchall/list/list-signals.ts';
import { verdictOn } from '../../../src/core/catchall/judge.ts';
import type { Signal } from '../../../src/core/catchall/scorecard.ts';
import {
	GOOGLE,
	makeSignal,
	MIMECAST,
	NO_SUCH_USER,
	OK,
	PROOFPOINT,
} from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import {
	DISABLED,
	BLOCKED,
	GREYLISTED,
	LIMITED,
	FULL_FOR_NOW,
	BUSY,
	THREE,
	THRESHOLDS,
	judge,
	words,
	ruleOf,
} from '../../support/unit/catch-all-judgement.ts';

describe('the decision table of strangers and target', () => {
	const signals = [makeSignal('mailbox', 4), makeSignal('auth', 3)];
	test.each<[readonly (string | null)[], string, string]>([
		[THREE(NO_SUCH_USER), OK, 'valid 97 accepted_email'],
		[THREE(NO_SUCH_USER), NO_SUCH_USER, 'invalid 2 rejected_email'],
		[THREE(OK), OK, 'unknown 80 catch_all_unresolved'],
		[THREE(OK), NO_SUCH_USER, 'invalid 2 catch_all_invalid'],
		[THREE(OK), DISABLED, 'invalid 2 catch_all_invalid'],
		[THREE(GREYLISTED), OK, 'unknown 80 greylisted'],
		[[OK, OK, NO_SUCH_USER], OK, 'unknown 80 catch_all_unresolved'],
		[[OK, BLOCKED, OK], OK, 'unknown 80 probe_blocked'],
		[[OK, LIMITED, OK], OK, 'unknown 80 rate_limited'],
		[THREE(OK), GREYLISTED, 'unknown 80 greylisted'],
		[THREE(OK), FULL_FOR_NOW, 'unknown 80 catch_all_unresolved'],
		[THREE(OK), BUSY, 'valid 98 catch_all_valid'],
	])('strangers %j, target %j: %s', (invented, target, expected) => {
		expect(words(judge({ invented, target, rest: { signals } }))).toBe(expected);
	});

	test('other words for the target than for strangers speak for it, with a control of the order', () => {
		const target = '250 2.1.5 local recipient ok';
		expect(words(judge({ target, control: OK, rest: { signals } }))).toBe('valid 93 catch_all_valid');
		expect(words(judge({ target, rest: { signals } }))).toBe('unknown 80 catch_all_unresolved');
		expect(words(judge({ target, control: target, rest: { signals } }))).toBe(
			'unknown 80 catch_all_unresolved',
		);
	});
});

describe('gateways', () => {
	const signals = [
		makeSignal('mailbox', 4),
		makeSignal('auth', 4),
		makeSignal('age', 3),
		makeSignal('web', 2),
	];
	test.each<[string, string, number]>([
		[PROOFPOINT, 'unknown', 86],
		[MIMECAST, 'unknown', 86],
		['filter10.antispamcloud.com', 'valid', 89],
		['d1.ess.barracudanetworks.com', 'valid', 89],
		['acme-com.mail.protection.outlook.com', 'valid', 89],
		[GOOGLE, 'valid', 96],
	])('that accept strangers are worth what their kind is: %s', (host, verdict, score) => {
		const judgement = judge({ host, rest: { signals } });
		expect([judgement.verdict, judgement.score, judgement.isCatchAll]).toEqual([verdict, score, true]);
	});

	test.each([
		['550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550', 'invalid'],
		['451 Internal resources are temporarily unavailable', 'unknown'],
		['550 csi.mimecast.org Poor Reputation Sender - envelope rejected', 'unknown'],
	])('Mimecast says %s to the address: %s', (target, verdict) => {
		expect(judge({ host: MIMECAST, target, rest: { signals } }).verdict).toBe(verdict);
	});
});

describe('whether the domain is a catch-all', () => {
	test.each<[readonly (string | null)[], boolean | null]>([
		[THREE(OK), true],
		[[OK, NO_SUCH_USER], true],
		[[NO_SUCH_USER], false],
		[THREE(NO_SUCH_USER), false],
		[[NO_SUCH_USER, GREYLISTED], null],
		[[BLOCKED], null],
		[[], null],
	])('strangers %j: %s', (invented, isCatchAll) => {
		expect(judge({ invented }).isCatchAll).toBe(isCatchAll);
	});
});

describe('the verdict', () => {
	test.each([
		[98, 'valid'],
		[88, 'valid'],
		[87, 'unknown'],
		[45, 'unknown'],
		[44, 'invalid'],
		[2, 'invalid'],
	])('on %i is %s', (score, verdict) => {
		expect(verdictOn(score, THRESHOLDS)).toBe(verdict);
	});

	test.each<[number, string]>([
		[29, 'valid 88 catch_all_valid'],
		[28, 'unknown 87 catch_all_unresolved'],
		[-3, 'unknown 45 catch_all_unresolved'],
		[-4, 'invalid 43 catch_all_invalid'],
	])('with %i points in all', (total, expected) => {
		// Beside the base, the encryption and a name that speaks for the mailbox.
		const signals = [makeSignal('history', total - 14), makeSignal('mailbox', 1)];
		expect(words(judge({ rest: { signals } }))).toBe(expected);
	});

	test('follows the configured thresholds', () => {
		const told = { rest: { signals: [makeSignal('history', 15), makeSignal('mailbox', 1)] } };
		expect(judge(told, { validFrom: 88, invalidBelow: 45 }).verdict).toBe('valid');
		expect(judge(told, { validFrom: 89, invalidBelow: 45 }).verdict).toBe('unknown');
		expect(judge(told, { validFrom: 95, invalidBelow: 89 }).verdict).toBe('invalid');
	});
});

const lookedAt = (measured: readonly CoverageItem[]): Told => ({
	host: GOOGLE,
	rest: { signals: [makeSignal('history', 20), makeSignal('mailbox', 1)], measured: new Set(measured) },
});

describe('coverage', () => {
	test('is complete when everything was looked at', () => {
		expect(coverageOf(new Set(Object.keys(COVERAGE_WEIGHTS) as CoverageItem[]))).toBe(1);
		expect(coverageOf(new Set())).toBe(0);
	});

	test.each<[readonly CoverageItem[], number, string]>([
		[['auth', 'web', 'parking', 'age', 'mailbox'], 1, 'valid'],
		[['auth', 'parking', 'age', 'mailbox'], 0.85, 'valid'],
		[['auth', 'mailbox'], 0.6, 'valid'],
		[['parking', 'age'], 0.55, 'unknown'],
		[[], 0.3, 'unknown'],
	])('%j beside the mail server is %f: %s', (measured, coverage, verdict) => {
		const judgement = judge(lookedAt(measured));
		expect([judgement.breakdown.coverage, judgement.verdict]).toEqual([coverage, verdict]);
		if (verdict === 'unknown') {
			expect(words(judgement)).toBe('unknown 87 catch_all_unresolved');
			expect(ruleOf(judgement)).toEqual(['unknown:coverage']);
		}
	});

	test('counts a mail server of an unknown operator as measured', () => {
		expect(judge({ host: 'mail.x.test' }).breakdown.coverage).toBe(0.85);
	});

	test('does not count a mail server that did not answer, nor one that did not get to EHLO', () => {
		expect(judge({ probe: { kind: 'no_connect' } }).breakdown.coverage).toBe(0.55);
		const refused = judge({ refused: '554 5.7.1 go away', stage: 'greeting' });
		expect(refused.breakdown.coverage).toBe(0.8);
	});
});

test('a breakdown, whole', () => {
	const signals = [
		makeSignal('auth', 2, 'dmarc:reject'),
		makeSignal('age', 3, 'age:15y'),
		makeSignal('list_quality', -4, 'job:poor'),
	];
	const { breakdown, score } = judge({ host: PROOFPOINT, hosts: 2, rest: { signals } });
	// Without the list 79: the quality of a list moves the score by its own four points.
	expect(score).toBe(75);
	expect(breakdown).toMatchObject({
		model: 'catchall-scorecard/1.2.0',
		base: 70,
		domain_triage: {
			signals: ['provider:proofpoint', 'dmarc:reject', 'mx:several', 'lists:none', 'starttls:yes'],
		},
		domain_age: { signals: ['age:15y'] },
		mailbox: { score: 0, signals: [] },
		smtp: { score: 0, signals: ['randoms:accepted', 'reply:same'] },
		public_evidence: { score: 0, signals: [] },
		list: { signals: ['job:poor'] },
		coverage: 0.85,
	});
	expect(breakdown.explanations).toContainEqual({
		signal: 'job:poor',
		effect: -4,
		text: 'What job:poor says.',
	});
	expect(breakdown.explanations.every(({ effect }) => effect !== 0)).toBe(true);
});

describe('a list in which most addresses are missing', () => {
	const poor = makeSignal('list_quality', -12, 'list_quality:poor');
	const judged = (signals: readonly Signal[]): [number, string] => {
		const { score, verdict } = judge({ host: PROOFPOINT, hosts: 2, rest: { signals } });
		return [score, verdict];
	};

	test('lowers a score by its weight, as the breakdown shows it', () => {
		const signals = [makeSignal('mailbox', 4), poor];
		expect(judged(signals.slice(0, 1))).toEqual([78, 'unknown']);
		expect(judged(signals)).toEqual([66, 'unknown']);
		const { breakdown } = judge({ host: PROOFPOINT, hosts: 2, rest: { signals } });
		expect(breakdown.explanations).toContainEqual(
			expect.objectContaining({ signal: 'list_quality:poor', effect: -12 }),
		);
		expect(listEffectOf(breakdown)).toBe(-12);
	});

	test('is limited at the border of a verdict, and so is what the list is said to have changed', () => {
		const weaker = makeSignal('mailbox', -12);
		expect(judged([weaker])).toEqual([53, 'unknown']);
		expect(judged([weaker, poor])).toEqual([45, 'unknown']);
		const { breakdown } = judge({ host: PROOFPOINT, hosts: 2, rest: { signals: [weaker, poor] } });
		expect(breakdown.explanations).toContainEqual(
			expect.objectContaining({ signal: 'limit:list', effect: 4 }),
		);
		expect(listEffectOf(breakdown)).toBe(-8);
	});

	test('makes no address invalid by itself, and none valid', () => {
		const weak = makeSignal('pattern', -10, 'domain_pattern:differs');
		expect(judged([weak])).toEqual([57, 'unknown']);
		expect(judged([weak, poor])).toEqual([45, 'unknown']);
		const good = makeSignal('list_quality', 8, 'list_quality:good');
		const near = makeSignal('mailbox', 6);
		const age = makeSignal('age', 3);
		const auth = makeSignal('auth', 4);
		expect(judged([near, age, auth])[1]).toBe('unknown');
		expect(judged([near, age, auth, good])[1]).toBe('unknown');
	});
});
