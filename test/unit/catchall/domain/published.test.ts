import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	addressDigest,
	readCaaAddresses,
	readMailtos,
	readReportUris,
	readSecurityTxt,
	readSoaAddress,
	wkdDirectories,
	wkdKeyUrl,
	zBase32,
} from '../../../../src/core/catchall/domain/published.ts';
import type { PublishedAddress } from '../../../../src/core/catchall/domain/published.ts';
import { cpuMsOf } from '../../../support/cpu-ms.ts';

/** Which of these local parts of acme.test the addresses stand for. */
function names(found: readonly PublishedAddress[]): readonly string[] {
	const candidates = [
		'info',
		'jane.doe',
		'dana',
		'security',
		'a+b',
		'hostmaster',
		'x',
		'o’neil',
		'dana.example',
	];
	return candidates.filter((name) => found.some(({ digest }) => digest === addressDigest(name, 'acme.test')));
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
		expect(names(readMailtos(text, 'acme.test', 'site'))).toEqual(found);
	});

	test('is kept as a digest, without any person’s address', () => {
		const found = readMailtos('mailto:jane.doe@acme.test', 'acme.test', 'site');
		expect(JSON.stringify(found)).not.toMatch(/jane|doe|acme/);
		expect(found).toEqual([{ digest: addressDigest('JANE.DOE', 'ACME.test'), where: 'site' }]);
	});

	test('is one of two hundred at most, and a million do not take a second', () => {
		const text = Array.from({ length: 1_000_000 }, (_, index) => `mailto:u${index}@acme.test `).join('');
		const spent = cpuMsOf(() => {
			expect(readMailtos(text, 'acme.test', 'site')).toHaveLength(200);
			expect(readMailtos('mailto:'.repeat(1_000_000), 'acme.test', 'site')).toEqual([]);
		});
		expect(spent).toBeLessThan(1_000);
	});
});

describe('an address in the DNS', () => {
	test.each<[string, readonly string[]]>([
		['mailto:info@acme.test', ['info']],
		['mailto:x@reports.test, mailto:info@acme.test!10m', ['info']],
		['https://reports.test/acme', []],
		['', []],
	])('in a list of reports %j: %j', (list, found) => {
		expect(names(readReportUris(list, 'acme.test', 'dmarc'))).toEqual(found);
	});

	test.each<[string, readonly string[]]>([
		['dana.acme.test', ['dana']],
		['dana\\.example.acme.test', ['dana.example']],
		['DANA.Acme.Test', ['dana']],
		// A hosting panel's default addresses were not published on purpose.
		['hostmaster.acme.test', []],
		['dana.other.test', []],
		['dana.sub.acme.test', []],
		['acme.test', []],
		['', []],
	])('in a RNAME %j: %j', (rname, found) => {
		expect(names(readSoaAddress(rname, 'acme.test'))).toEqual(found);
	});

	test('for incidents with certificates', () => {
		const records = [
			'issue letsencrypt.org',
			'iodef mailto:security@acme.test',
			'issue mailto:info@acme.test',
		];
		expect(names(readCaaAddresses(records, 'acme.test'))).toEqual(['security']);
	});
});

test('security.txt names addresses in its Contact lines only', () => {
	const text =
		'# mailto:info@acme.test\r\nContact: mailto:security@acme.test\r\nPolicy: mailto:dana@acme.test\r\n';
	expect(names(readSecurityTxt(text, 'acme.test'))).toEqual(['security']);
});

test('hostile texts are read without an exception', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string().map((junk) => `mailto:${junk}@acme.test`),
	);
	fc.assert(
		fc.property(text, (junk) => {
			for (const { digest } of [
				...readMailtos(junk, 'acme.test', 'site'),
				...readReportUris(junk, 'acme.test', 'dmarc'),
				...readSoaAddress(junk, 'acme.test'),
				...readCaaAddresses([junk], 'acme.test'),
				...readSecurityTxt(junk, 'acme.test'),
			])
				expect(digest).toMatch(/^[0-9a-f]{24}$/);
		}),
	);
});

describe('a Web Key Directory', () => {
	test('hashes a local part as the draft’s example does', () => {
		const [advanced, direct] = wkdDirectories('example.org');
		const hash = 'iy9q119eutrkn8s1mk4r39qejnbu3n5q';
		expect(wkdKeyUrl(advanced, 'Joe.Doe')).toBe(
			`https://openpgpkey.example.org/.well-known/openpgpkey/example.org/hu/${hash}?l=Joe.Doe`,
		);
		expect(wkdKeyUrl(direct, 'Joe.Doe')).toBe(
			`https://example.org/.well-known/openpgpkey/hu/${hash}?l=Joe.Doe`,
		);
	});

	test('escapes what is no plain character', () => {
		expect(wkdKeyUrl(wkdDirectories('x.test')[1], 'a/../b?&')).toMatch(/\?l=a%2F\.\.%2Fb%3F%26$/);
	});

	test('writes every hash in 32 characters of its own, two hashes never alike', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (a, b) => {
				const written = [a, b].map((text) => zBase32(createHash('sha1').update(text).digest()));
				for (const text of written) expect(text).toMatch(/^[ybndrfg8ejkmcpqxot1uwisza345h769]{32}$/);
				expect(written[0] === written[1]).toBe(a === b);
			}),
		);
	});
});
