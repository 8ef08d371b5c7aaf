import { readDmarc, readSpf, addressDigest, readMailtos } from '../../../../src/core/catchall/domain.ts';
import { cpuMsOf } from '../../../support/cpu-ms.ts';
import { describe, expect, test } from 'vitest';

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
])('SPF %j is %s', (texts, finding) => {
	expect(readSpf(texts)).toBe(finding);
});

describe('DMARC', () => {
	test.each<[readonly string[], string]>([
		[['v=DMARC1; p=reject'], 'reject'],
		[['v=dmarc1;p=QUARANTINE;'], 'quarantine'],
		[['v = DMARC1 ; p = none'], 'none'],
		[['other', 'v=DMARC1; p=reject'], 'reject'],
		[['v=DMARC1; p=none; p=reject'], 'none'],
		[['v=DMARC1; sp=none; p=reject; rua=mailto:d@x.test'], 'reject'],
		[['v=DMARC1; p=rejekt'], 'missing'],
		[['v=DMARC1'], 'missing'],
		[['v=DMARC10; p=reject'], 'missing'],
		[['p=reject; v=DMARC1'], 'missing'],
		[['v=DMARC1; p=reject', 'v=DMARC1; p=reject'], 'missing'],
		[[], 'missing'],
	])('%j has the policy %s', (texts, policy) => {
		expect(readDmarc(texts)).toBe(policy);
	});
});

/** Which of these local parts of acme.test the addresses stand for. */
function names(found: readonly string[]): readonly string[] {
	const candidates = ['info', 'jane.doe', 'a+b'];
	return candidates.filter((name) => found.includes(addressDigest(name, 'acme.test')));
}

describe('an address that a website publishes', () => {
	test.each<[string, readonly string[]]>([
		['<a href="mailto:info@acme.test">', ['info']],
		["<a href='MAILTO:Info@Acme.TEST?subject=Hi'>", ['info']],
		['<a href="mailto:info@acme.test,jane.doe@acme.test">', ['info', 'jane.doe']],
		['<a href="mailto:info&#64;acme.test">', ['info']],
		['<a href="&#109;ailto:info@acme.test">', []],
		['<a href="mailto:info&#x40;acme.test">', ['info']],
		['<a href="mailto:info%40acme.test">', ['info']],
		['<a href="mailto:a%2Bb@acme.test">', ['a+b']],
		['<a href="mailto:info%@acme.test">', []],
		['<a href="mailto:info@other.test">', []],
		['<a href="mailto:info@sub.acme.test">', []],
		['<a href="mailto:info@acme.test.evil.test">', []],
		['<a href="mailto:info@acme.test@other.test">', []],
		['info@acme.test', []],
		['mailto:@acme.test mailto: mailto:acme.test', []],
	])('in %s: %j', (text, found) => {
		expect(names(readMailtos(text, 'acme.test'))).toEqual(found);
	});

	test('is kept as a digest, without any person’s address', () => {
		const found = readMailtos('mailto:jane.doe@acme.test', 'acme.test');
		expect(JSON.stringify(found)).not.toMatch(/jane|doe|acme/);
		expect(found).toEqual([addressDigest('JANE.DOE', 'ACME.test')]);
	});

	test('is one of two hundred at most, and as many as a page has room for do not take a second', () => {
		const text = Array.from({ length: 3_000 }, (_, index) => `mailto:u${index}@acme.test `).join('');
		const spent = cpuMsOf(() => {
			expect(readMailtos(text, 'acme.test')).toHaveLength(200);
			expect(readMailtos('mailto:'.repeat(10_000), 'acme.test')).toEqual([]);
		});
		expect(spent).toBeLessThan(1_000);
	});
});
