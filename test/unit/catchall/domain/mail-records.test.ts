import { describe, expect, test } from 'vitest';
import { readDmarc, readSpf } from '../../../../src/core/catchall/domain.ts';

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

describe('DMARC', () => {
	test.each<[readonly string[], string]>([
		[['v=DMARC1; p=reject'], 'reject'],
		[['v=dmarc1;p=QUARANTINE;'], 'quarantine'],
		[['v = DMARC1 ; p = none'], 'none'],
		[['other', 'v=DMARC1; p=reject'], 'reject'],
		[['v=DMARC1; p=none; p=reject'], 'none'],
		// RFC 7489 §6.6.3: without a valid policy only a record that wants reports counts, as `none`.
		[['v=DMARC1; p=rejekt; rua=mailto:d@x.test'], 'none'],
		[['v=DMARC1; p=rejekt'], 'missing'],
		[['v=DMARC1'], 'missing'],
		[['v=DMARC10; p=reject'], 'missing'],
		[['p=reject; v=DMARC1'], 'missing'],
		[['v=DMARC1; p=reject', 'v=DMARC1; p=reject'], 'missing'],
		[[`v=DMARC1; p=reject; ${'x'.repeat(60_000)}`], 'missing'],
		[[], 'missing'],
	])('%j has the policy %s', (texts, policy) => {
		expect(readDmarc(texts)).toBe(policy);
	});

	test.each<[string, string]>([
		['v=DMARC1; p=reject', 'reject'],
		['v=DMARC1; p=reject; sp=none', 'none'],
		['v=DMARC1; p=reject; sp=nonne', 'reject'],
		['something else', 'missing'],
	])('%s of the organisation says for its subdomains: %s', (text, policy) => {
		expect(readDmarc([text], true)).toBe(policy);
	});
});
