import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	decideDmarc,
	hasBimi,
	hasMtaSts,
	operatorSelectors,
	readDane,
	readDkim,
	readDmarcRecord,
	readMtaStsPolicy,
	readSpf,
	readTlsRpt,
} from '../../../../src/core/catchall/domain/mail-policies.ts';
import type { DmarcRecord } from '../../../../src/core/catchall/domain/mail-policies.ts';
import type { Answer } from '../../../../src/core/dns/resolver.ts';

describe('SPF', () => {
	test.each<[readonly string[], string]>([
		[['v=spf1 include:_spf.x.test ~all'], 'ok'],
		[['V=SPF1 mx -all', 'something else'], 'ok'],
		[['v=spf1'], 'ok'],
		[['v=spf1 -all'], 'sends_no_mail'],
		[['v=spf1   -ALL  '], 'sends_no_mail'],
		[['v=spf1 -all -all'], 'ok'],
		[['v=spf10 -all'], 'missing'],
		[[], 'missing'],
		[['v=spf1 mx', 'v=spf1 a'], 'several'],
	])('%j is %s', (texts, finding) => {
		expect(readSpf(texts)).toBe(finding);
	});
});

const record = (text: string): DmarcRecord => readDmarcRecord([text])!;

describe('DMARC', () => {
	test.each<[readonly string[], string | null]>([
		[['v=DMARC1; p=reject'], 'reject'],
		[['v=dmarc1;p=QUARANTINE;'], 'quarantine'],
		[['v = DMARC1 ; p = none'], 'none'],
		[['other', 'v=DMARC1; p=reject'], 'reject'],
		[['v=DMARC1; p=none; p=reject'], 'none'],
		// RFC 7489 §6.6.3: without a valid policy only a record that wants reports counts, as `none`.
		[['v=DMARC1; p=rejekt; rua=mailto:d@x.test'], 'none'],
		[['v=DMARC1; p=rejekt'], null],
		[['v=DMARC1'], null],
		[['v=DMARC10; p=reject'], null],
		[['p=reject; v=DMARC1'], null],
		[['v=DMARC1; p=reject', 'v=DMARC1; p=reject'], null],
		[[`v=DMARC1; p=reject; ${'x'.repeat(60_000)}`], null],
		[[], null],
	])('%j has the policy %s', (texts, policy) => {
		expect(readDmarcRecord(texts)?.policy ?? null).toBe(policy);
	});

	test.each<[string, DmarcRecord | null, DmarcRecord | null, string]>([
		['its own', record('v=DMARC1; p=none'), record('v=DMARC1; p=reject'), 'none'],
		['that of the organisation', null, record('v=DMARC1; p=reject'), 'reject'],
		['that of the organisation for subdomains', null, record('v=DMARC1; p=reject; sp=none'), 'none'],
		['none at all', null, null, 'missing'],
	])('the policy of a subdomain is %s', (_, own, organisational, policy) => {
		expect(decideDmarc(own, organisational)).toBe(policy);
	});
});

const NOTHING: Answer<string> = { kind: 'no_data' };
const NO_NAME: Answer<string> = { kind: 'no_such_name' };
const FAILED: Answer<string> = { kind: 'failed', cause: 'timeout' };
const records = (...texts: string[]): Answer<string> => ({ kind: 'records', records: texts });

describe('DKIM', () => {
	test.each<
		[string, Answer<string> | null, Answer<string> | null, readonly (Answer<string> | null)[], string | null]
	>([
		['names below _domainkey exist', NOTHING, NO_NAME, [], 'selectors'],
		['nothing is there', NO_NAME, NO_NAME, [], 'none'],
		['the operator’s selector has a key', NO_NAME, NO_NAME, [records('v=DKIM1; k=rsa; p=MIIB')], 'selectors'],
		['the key was withdrawn', NO_NAME, NO_NAME, [records('v=DKIM1; p=')], 'none'],
		['the selector’s text is something else', NO_NAME, NO_NAME, [records('v=spf1 -all')], 'none'],
		['every name exists: a wildcard', records('x'), records('x'), [], null],
		['every name exists: compact denial (RFC 9824)', NOTHING, NOTHING, [], null],
		['every name exists, but the key is real', NOTHING, NOTHING, [records('p=MIIB')], 'selectors'],
		['the control failed', NOTHING, FAILED, [], null],
		['the question failed', FAILED, NO_NAME, [], null],
		['nobody answered', null, null, [null], null],
	])('%s', (_, parent, control, selectors, finding) => {
		expect(readDkim({ parent, control, selectors })).toBe(finding);
	});

	test.each([
		[['aspmx.l.google.com'], ['google']],
		[
			['x-test.mail.protection.outlook.com', 'other.test'],
			['selector1', 'selector2'],
		],
		[['notgoogle.com'], []],
		[['mx.x.test', 'aspmx.l.google.com'], []],
		[[], []],
	])('the selectors of the operator of %j are %j', (hosts, selectors) => {
		expect(operatorSelectors(hosts)).toEqual(selectors);
	});
});

describe('MTA-STS, TLS-RPT and BIMI', () => {
	test.each<[readonly string[], boolean]>([
		[['v=STSv1; id=20250101T000000;'], true],
		[['v=STSv1'], false],
		[['v=STSv1; id=not-allowed'], false],
		[['v=STSv1; id=1', 'v=STSv1; id=2'], false],
		[[], false],
	])('%j announces a policy: %s', (texts, announced) => {
		expect(hasMtaSts(texts)).toBe(announced);
	});

	test.each<[string, string | null]>([
		['version: STSv1\r\nmode: enforce\r\nmx: mx.x.test\r\nmax_age: 604800\r\n', 'enforce'],
		['version: STSv1\nmode: testing', 'testing'],
		['version: STSv1\nmode: none', 'none'],
		['version: STSv1\nmode: none\nmode: enforce', 'none'],
		['version: STSv2\nmode: enforce', null],
		['mode: enforce', null],
		['<html>mode: enforce</html>', null],
		['', null],
	])('policy %j has the mode %s', (text, mode) => {
		expect(readMtaStsPolicy(text)).toBe(mode);
	});

	test.each<[readonly string[], string | null]>([
		[['v=TLSRPTv1; rua=mailto:t@x.test'], 'mailto:t@x.test'],
		[['v=TLSRPTv1;'], null],
		[['v=TLSRPTv1; rua=a', 'v=TLSRPTv1; rua=b'], null],
	])('%j sends reports to %s', (texts, reportsTo) => {
		expect(readTlsRpt(texts)).toBe(reportsTo);
	});

	test.each<[readonly string[], boolean]>([
		[['v=BIMI1; l=https://x.test/logo.svg'], true],
		[['v=BIMI1; l=; a='], false],
		[['l=https://x.test/logo.svg'], false],
	])('%j shows a logo: %s', (texts, shows) => {
		expect(hasBimi(texts)).toBe(shows);
	});
});

test.each<[string, Parameters<typeof readDane>[0], string | null]>([
	['signed DANE-EE', { answer: records('3 1 1'), authenticated: true, ttlSeconds: 1 }, 'present'],
	['signed DANE-TA', { answer: records('0 0 1', '2 0 1'), authenticated: true, ttlSeconds: 1 }, 'present'],
	[
		'a usage that is none for SMTP',
		{ answer: records('1 1 1'), authenticated: true, ttlSeconds: 1 },
		'missing',
	],
	['not signed', { answer: records('3 1 1'), authenticated: false, ttlSeconds: 1 }, 'missing'],
	['no such name', { answer: NO_NAME, authenticated: true, ttlSeconds: 1 }, 'missing'],
	['failed', { answer: FAILED, authenticated: false, ttlSeconds: 0 }, null],
	['not asked', null, null],
])('DANE: %s', (_, looked, finding) => {
	expect(readDane(looked)).toBe(finding);
});

test('hostile texts are read without an exception, and a huge one is no record', () => {
	const hostile = fc.array(
		fc.oneof(
			fc.string({ unit: 'binary' }),
			fc
				.tuple(fc.constantFrom('v=spf1', 'v=DMARC1', 'v=STSv1', 'v=TLSRPTv1', 'v=BIMI1'), fc.string())
				.map(([a, b]) => a + b),
		),
	);
	fc.assert(
		fc.property(hostile, (texts) => {
			expect(['ok', 'missing', 'several', 'sends_no_mail']).toContain(readSpf(texts));
			expect(['reject', 'quarantine', 'none', undefined]).toContain(readDmarcRecord(texts)?.policy);
			expect(typeof hasMtaSts(texts)).toBe('boolean');
			expect(typeof hasBimi(texts)).toBe('boolean');
			expect([null, 'string']).toContain(readTlsRpt(texts) === null ? null : 'string');
		}),
	);
	const huge = `v=DMARC1; p=reject; ${'a=b;'.repeat(500_000)}`;
	expect(readDmarcRecord([huge])).toBeNull();
});
