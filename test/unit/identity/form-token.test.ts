import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORM_ID_OCTETS, issueFormToken, readFormToken } from '../../../src/core/identity/tokens.ts';

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
