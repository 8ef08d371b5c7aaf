import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	base62Length,
	fromBase62,
	fromBase64Url,
	toBase62,
	toBase64Url,
} from '../../../src/lib/encodings.ts';

test('bytes survive a round trip through a text of fixed length', () => {
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
			const text = toBase62(bytes);
			expect(text).toMatch(/^[0-9A-Za-z]+$/);
			expect(text).toHaveLength(base62Length(bytes.length));
			expect(fromBase62(text, bytes.length)).toEqual(bytes);
		}),
		{ numRuns: 100 },
	);
});

test.each([
	['too short', '0'.repeat(base62Length(16) - 1)],
	['too long', '0'.repeat(base62Length(16) + 1)],
	['a character beyond base 62', `-${'0'.repeat(base62Length(16) - 1)}`],
	['a letter beyond ASCII', `é${'0'.repeat(base62Length(16) - 1)}`],
	['a number beyond 16 bytes', 'z'.repeat(base62Length(16))],
	['empty', ''],
])('%s: no bytes', (_, text) => {
	expect(fromBase62(text, 16)).toBeNull();
});

test('the largest number of 16 bytes is taken, and not the next one', () => {
	const largest = toBase62(new Uint8Array(16).fill(255));
	const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
	const next = largest.slice(0, -1) + (digits[digits.indexOf(largest.slice(-1)) + 1] ?? '');
	expect(fromBase62(largest, 16)).toEqual(new Uint8Array(16).fill(255));
	expect(next).toHaveLength(largest.length);
	expect(fromBase62(next, 16)).toBeNull();
});

test.each([
	[[], ''],
	[[0], 'AA'],
	[[255, 255], '__8'],
	[[251, 239, 190], '----'],
])('base64url of %j is %j, and back (RFC 4648 §5)', (bytes, text) => {
	expect(toBase64Url(Uint8Array.from(bytes))).toBe(text);
	expect(fromBase64Url(text)).toEqual(Uint8Array.from(bytes));
});

test.each(['=', 'a', 'a+b/', 'ä', 'AA==', ' '])('%j is no base64url', (text) => {
	expect(fromBase64Url(text)).toBeNull();
});
