import { describe, expect, test } from 'vitest';
import { requireDomain } from '../../../src/operations/opt-outs/opt-outs.ts';

describe('a domain that asked us not to ask', () => {
	test.each<[string, string]>([
		['acme.test', 'acme.test'],
		['ACME.test.', 'acme.test'],
		[' mail.acme.co.uk ', 'mail.acme.co.uk'],
		['bücher.test', 'xn--bcher-kva.test'],
		// A company's suffix is the company's to speak for.
		['github.io', 'github.io'],
	])('%j is kept as %s', (text, domain) => {
		expect(requireDomain(text)).toBe(domain);
	});

	test.each<[string, string]>([
		['', 'no domain'],
		['not a domain', 'no domain'],
		['ada@acme.test', 'no domain'],
		['com', 'no domain'],
		['co.uk', 'public suffix'],
	])('%j is refused: %s', (text, fault) => {
		expect(() => requireDomain(text)).toThrow(fault);
	});
});
