import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { COVERAGE_WEIGHTS, coverageOf } from '../../../src/core/catchall/breakdown.ts';
import type { CoverageItem } from '../../../src/core/catchall/breakdown.ts';
import { judgeAddress } from '../../../src/core/catchall/judge.ts';
import {
	LIST_WEIGHTS,
	measureRoute,
	MX_WEIGHTS,
	REPLY_WEIGHTS,
	ROUTE_WEIGHTS,
	STACK_WEIGHTS,
} from '../../../src/core/catchall/route-signals.ts';
import { CAPS, SCALE, scoreSignals } from '../../../src/core/catchall/scorecard.ts';
import {
	GOOGLE,
	makeEvidence,
	makeSignal,
	PROOFPOINT,
	YAHOO,
} from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import { unnoticedMutations } from '../../support/unit/mutate-weights.ts';
import { CAP_VECTORS } from './cap-vectors.ts';
import { readGoldenVectors } from './golden-vectors.ts';

// Goal: no weight can be moved without a test that says which answer changed. Each weight is moved up and down by five
// points, and some vector must come out otherwise.

const OK = '250 2.1.5 ok';
const BUSY = '450 4.2.1 The user you are trying to contact is receiving mail too quickly';
const typo = { rest: { lists: { disposable: false, suggestedDomain: 'gmail.com' } } };
const disposable = { rest: { lists: { disposable: true, suggestedDomain: null } } };

/** From evidence to score, and what each finding is worth before the caps. */
const EVIDENCE: readonly (readonly [string, Told, number, string])[] = [
	['a server of nobody we know', {}, 71, 'starttls:yes +1'],
	[
		'one that is asked over TLS, where it offers no more',
		{ secured: true, keywords: [] },
		71,
		'starttls:yes +1',
	],
	['Google', { host: GOOGLE }, 91, 'provider:google +20, starttls:yes +1'],
	['a forwarder', { host: 'mx1.forwardemail.net' }, 91, 'provider:forwardemail +20, starttls:yes +1'],
	['a hosting company', { host: 'smtp.secureserver.net' }, 87, 'provider:godaddy +14, starttls:yes +1'],
	[
		'Microsoft 365',
		{ host: 'acme-com.mail.protection.outlook.com' },
		76,
		'provider:microsoft +4, starttls:yes +1',
	],
	[
		'a gateway that asks the server behind it',
		{ host: 'filter10.antispamcloud.com' },
		76,
		'provider:spamexperts +4, starttls:yes +1',
	],
	['a gateway', { host: PROOFPOINT }, 71, 'starttls:yes +1'],
	['an operator of which nothing is known', { host: 'mx00.t-online.de' }, 71, 'starttls:yes +1'],
	['Google, which did not accept strangers', { host: GOOGLE, invented: [OK] }, 71, 'starttls:yes +1'],
	['Yahoo, which says that it exists', { host: YAHOO, target: BUSY }, 97, 'reply:busy +35, starttls:yes +1'],
	['two mail servers', { hosts: 2 }, 73, 'mx:several +1, starttls:yes +1'],
	['no MX', { implicit: true }, 55, 'mx:implicit -10, starttls:yes +1'],
	['no encryption', { keywords: [] }, 64, 'starttls:no -4'],
	[
		'HELO alone and a hidden greeting',
		{ keywords: [], greeting: '220 ****' },
		60,
		'banner:nameless -3, starttls:no -4',
	],
	['a hidden greeting', { greeting: '220 **********' }, 67, 'banner:nameless -3, starttls:yes +1'],
	['a greeting of nobody', { greeting: '220 ESMTP ready' }, 67, 'banner:nameless -3, starttls:yes +1'],
	[
		'a greeting by a machine that does not know its name',
		{ greeting: '220 localhost ESMTP' },
		67,
		'banner:nameless -3, starttls:yes +1',
	],
	['an empty greeting', { greeting: '220 ' }, 67, 'banner:nameless -3, starttls:yes +1'],
	['a greeting by address', { greeting: '220 [192.0.2.1] ready' }, 71, 'starttls:yes +1'],
	['a short name', { greeting: '220 mx1, hello' }, 71, 'starttls:yes +1'],
	['a greeting that was not kept', { greeting: '(closed the connection)' }, 71, 'starttls:yes +1'],
	['a slip of gmail.com', typo, 10, 'starttls:yes +1, typo:gmail.com -45'],
	['a disposable domain', disposable, 13, 'disposable:yes -40, starttls:yes +1'],
	[
		'other words for the target, with a control',
		{ target: '250 2.1.5 local recipient ok', control: OK },
		90,
		'reply:differs +18, starttls:yes +1',
	],
	['too much mail for the target', { target: BUSY }, 97, 'reply:busy +35, starttls:yes +1'],
];

function findingsOf(told: Told): string {
	return measureRoute(makeEvidence(told))
		.signals.filter(({ points }) => points !== 0)
		.map(({ label, points }) => `${label} ${points > 0 ? '+' : ''}${points}`)
		.toSorted()
		.join(', ');
}

const scoreOf = (told: Told): number =>
	judgeAddress(makeEvidence(told), { validFrom: 100, invalidBelow: 0 }).score;

test.each(EVIDENCE)('%s', (_, told, score, findings) => {
	expect(findingsOf(told)).toBe(findings);
	expect(scoreOf(told)).toBe(score);
});

test('every finding says in a sentence what it is, and names no address', () => {
	const signals = EVIDENCE.flatMap(([, told]) => measureRoute(makeEvidence(told)).signals);
	expect(signals.filter(({ text }) => !/^[A-Z].*\.$/u.test(text) || text.includes('@'))).toEqual([]);
});

const EVERYTHING = CAP_VECTORS.map(([group]) => group);
const COVERED: Readonly<Record<CoverageItem, number>> = {
	mx_route: 0.25,
	auth: 0.15,
	web: 0.15,
	parking: 0.15,
	age: 0.1,
	smtp_stack: 0.05,
	mailbox: 0.15,
};

interface Vector {
	readonly actual: () => unknown;
	readonly expected: unknown;
}

const scores: readonly Vector[] = [
	...readGoldenVectors().map(({ signals, score }) => ({
		actual: (): unknown => scoreSignals(signals).score,
		expected: score,
	})),
	...EVIDENCE.map(([, told, score]) => ({ actual: (): unknown => scoreOf(told), expected: score })),
	...CAP_VECTORS.flatMap(([group, , , low, high]) => [
		{ actual: (): unknown => scoreSignals([makeSignal(group, -1000)]).score, expected: low },
		{ actual: (): unknown => scoreSignals([makeSignal(group, 1000)]).score, expected: high },
	]),
	...[
		[1000, 98],
		[-1000, 2],
	].map(([points = 0, expected]) => ({
		actual: (): unknown => scoreSignals(EVERYTHING.map((group) => makeSignal(group, points))).score,
		expected,
	})),
];
const findings: readonly Vector[] = EVIDENCE.map(([, told, , expected]) => ({
	actual: (): unknown => findingsOf(told),
	expected,
}));
const coverages: readonly Vector[] = Object.entries(COVERED).map(([item, expected]) => ({
	actual: (): unknown => coverageOf(new Set([item as CoverageItem])),
	expected,
}));

const someFails = (vectors: readonly Vector[]) => (): boolean =>
	vectors.some(({ actual, expected }) => !isDeepStrictEqual(actual(), expected));

describe('every weight matters', () => {
	const tables = { ROUTE_WEIGHTS, MX_WEIGHTS, STACK_WEIGHTS, LIST_WEIGHTS, REPLY_WEIGHTS };

	test('as it is, every vector holds', () => {
		expect(someFails([...scores, ...findings, ...coverages])()).toBe(false);
	});

	test('moved by five points, a finding or a score changes', () => {
		expect(unnoticedMutations(tables, 5, someFails([...scores, ...findings]))).toEqual([]);
	});

	test('and the score itself does, but where the cap of the group has the last word', () => {
		expect(unnoticedMutations(tables, 5, someFails(scores))).toEqual([
			'ROUTE_WEIGHTS.validating +5',
			'ROUTE_WEIGHTS.seg -5',
			'ROUTE_WEIGHTS.unknown -5',
			'MX_WEIGHTS.several +5',
			'MX_WEIGHTS.implicit -5',
			'LIST_WEIGHTS.typo -5',
			'REPLY_WEIGHTS.receivesTooMuch +5',
		]);
	});

	test('caps, base and limit too', () => {
		expect(unnoticedMutations({ CAPS, SCALE }, 5, someFails(scores))).toEqual([]);
	});

	test('and the weights of coverage', () => {
		expect(unnoticedMutations({ COVERAGE_WEIGHTS }, 0.05, someFails(coverages))).toEqual([]);
	});

	test('a vector that looks at nothing notices nothing, and one that never held is no witness', () => {
		expect(unnoticedMutations({ MX_WEIGHTS }, 5, () => false)).toHaveLength(4);
		expect(() => unnoticedMutations({ MX_WEIGHTS }, 5, () => true)).toThrow('before');
		expect(MX_WEIGHTS).toEqual({ several: 1, implicit: -10 });
	});
});
