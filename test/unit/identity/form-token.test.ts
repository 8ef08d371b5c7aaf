import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	FORM_ID_OCTETS,
	isFromOurPages,
	issueFormToken,
	readFormToken,
} from '../../../src/core/identity/form-token.ts';

const random = fc.uint8Array({ minLength: FORM_ID_OCTETS, maxLength: FORM_ID_OCTETS });

test('a token is read by the browser it was made for, always to the same id', () => {
	fc.assert(
		fc.property(fc.string(), random, (binding, bytes) => {
			const token = issueFormToken(binding, bytes);
			expect(token).toMatch(/^[\w-]+$/);
			expect(readFormToken(binding, token)).toMatch(/^[0-9a-f]{24}$/);
			expect(readFormToken(binding, token)).toBe(readFormToken(binding, issueFormToken(binding, bytes)));
		}),
	);
});

test('a token of another browser, or with any character changed, is none', () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), random, fc.nat(36), (binding, other, bytes, at) => {
			fc.pre(binding !== other);
			const token = issueFormToken(binding, bytes);
			expect(readFormToken(other, token)).toBeNull();
			const index = at % token.length;
			const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
			// The last character holds bits that base64url ignores; both then mean the same bytes.
			if (index < token.length - 1) expect(readFormToken(binding, changed)).toBeNull();
		}),
	);
});

test('no text makes the reader fail', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(readFormToken('x', text)).toBeNull();
		}),
	);
});

describe('where a form comes from', () => {
	const own = 'https://mailsonar.example';
	test.each([
		['our page', 'same-origin', own, true],
		['our page, without Origin', 'same-origin', null, true],
		['our page in a browser without fetch metadata', null, own, true],
		['another site', 'cross-site', 'https://evil.test', false],
		['another site that lies about its origin', 'cross-site', own, false],
		['a sister host', 'same-site', 'https://other.mailsonar.example', false],
		['an old browser on another site', null, 'https://evil.test', false],
		['the same host without TLS', null, 'http://mailsonar.example', false],
		['the same host on another port', null, `${own}:8443`, false],
		['a sandboxed frame', null, 'null', false],
		['an address typed by hand', 'none', null, false],
		['nobody knows', null, null, false],
	])('%s: Sec-Fetch-Site %s, Origin %s is ours: %s', (_, fetchSite, origin, expected) => {
		expect(isFromOurPages({ fetchSite, origin, own })).toBe(expected);
	});
});
