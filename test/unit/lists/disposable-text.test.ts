import { describe, expect, test } from 'vitest';
import { agreedDisposable, readDisposableText } from '../../../src/core/lists/disposable-text.ts';

const domains = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `throwaway-${index}.test`);

test('a list is read with its comments, empty lines and Windows line ends', () => {
	const text = ['# a comment', '', ...domains(4_000), 'UPPER.Test', '// another'].join('\r\n');
	const read = readDisposableText(text);
	expect(read).toMatchObject({ ok: true, leftOut: 0 });
	expect(read.ok && read.domains).toContain('upper.test');
});

test('mailbox providers, privacy relays and misspelt providers are ignored on any list', () => {
	const read = readDisposableText(
		[...domains(4_000), 'gmail.com', 'duck.com', 'gmial.com', 'royal.net'].join('\n'),
	);
	expect(read).toMatchObject({ ok: true, leftOut: 4 });
	expect(read.ok && read.domains).toHaveLength(4_000);
});

test('a whole ending is left out, since every customer of its registry would be a throw-away', () => {
	const read = readDisposableText([...domains(4_000), 'co.uk', 'com.au', 'duckdns.org'].join('\n'));
	expect(read).toMatchObject({ ok: true, leftOut: 2 });
	// A suffix that a company lends to everybody may well be disposable.
	expect(read.ok && read.domains).toContain('duckdns.org');
});

test.each([
	['an empty text', ''],
	['a list that shrank', domains(3_999).join('\n')],
	['a web page', `<html>\n${'<p>Not found</p>\n'.repeat(5_000)}`],
	[
		'a list with more than two percent of noise',
		[...domains(4_100), ...Array.from({ length: 90 }, () => 'no domain')].join('\n'),
	],
])('%s is refused as a whole', (_, text) => {
	expect(readDisposableText(text).ok).toBe(false);
});

describe('of several lists', () => {
	test('two must name a domain, or the bundled one; one alone is believed as it is', () => {
		const [first, second] = [
			['fresh-1.test', 'fresh-2.test'],
			['fresh-2.test', 'real-provider.test'],
		];
		expect(agreedDisposable([first])).toEqual(first);
		const agreed = new Set(agreedDisposable([first, second]));
		expect([agreed.has('fresh-1.test'), agreed.has('fresh-2.test')]).toEqual([false, true]);
		expect([agreed.has('real-provider.test'), agreed.has('mailinator.com')]).toEqual([false, true]);
	});
});
