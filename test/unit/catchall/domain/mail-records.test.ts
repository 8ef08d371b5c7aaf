import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideDmarc, readDmarcRecord, readSpf } from '../../../../src/core/catchall/domain/mail-policies.ts';
import type { DmarcRecord } from '../../../../src/core/catchall/domain/mail-policies.ts';

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

test('hostile texts are read without an exception, and a huge one is no record', () => {
	const hostile = fc.array(
		fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.tuple(fc.constantFrom('v=spf1', 'v=DMARC1'), fc.string()).map(([a, b]) => a + b),
		),
	);
	fc.assert(
		fc.property(hostile, (texts) => {
			expect(['ok', 'missing', 'several', 'sends_no_mail']).toContain(readSpf(texts));
			expect(['reject', 'quarantine', 'none', undefined]).toContain(readDmarcRecord(texts)?.policy);
		}),
	);
	const huge = `v=DMARC1; p=reject; ${'a=b;'.repeat(500_000)}`;
	expect(readDmarcRecord([huge])).toBeNull();
});
