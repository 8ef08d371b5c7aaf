import { describe, expect, test } from 'vitest';
import { coveringOptOut, readOptOut } from '../../../src/core/lists/opt-outs.ts';

describe('a domain that asked us not to ask', () => {
	test.each<[string, string]>([
		['acme.test', 'acme.test'],
		['ACME.test.', 'acme.test'],
		[' mail.acme.co.uk ', 'mail.acme.co.uk'],
		['bücher.test', 'xn--bcher-kva.test'],
		// A company's suffix is the company's to speak for.
		['github.io', 'github.io'],
	])('%j is kept as %s', (text, domain) => {
		expect(readOptOut(text)).toEqual({ ok: true, domain });
	});

	test.each<[string, string]>([
		['', 'no_domain'],
		['not a domain', 'no_domain'],
		['ada@acme.test', 'no_domain'],
		['com', 'no_domain'],
		['co.uk', 'public_suffix'],
	])('%j is refused: %s', (text, fault) => {
		expect(readOptOut(text)).toEqual({ ok: false, fault });
	});

	test.each<[string, string | null]>([
		['acme.test', 'acme.test'],
		['mx1.acme.test', 'acme.test'],
		['a.b.c.acme.test', 'acme.test'],
		['notacme.test', null],
		['acme.test.example', null],
		['test', null],
	])('speaks for itself and the names below it: %s is covered by %s', (name, by) => {
		expect(coveringOptOut(name, new Set(['acme.test']))).toBe(by);
	});
});
