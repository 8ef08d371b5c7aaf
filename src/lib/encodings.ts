import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { assert } from './assert.ts';

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number of digits for `octets` bytes. It depends on the length only, so texts of equal bytes are equally long. */
export function base62Length(octets: number): number {
	return Math.ceil((octets * 8) / Math.log2(62));
}

/** Bytes as base 62 text of fixed length. */
export function toBase62(bytes: Uint8Array): string {
	let number = 0n;
	for (const byte of bytes) number = (number << 8n) | BigInt(byte);
	let text = '';
	while (number > 0n) {
		text = `${BASE62_DIGITS[Number(number % 62n)]}${text}`;
		number /= 62n;
	}
	return text.padStart(base62Length(bytes.length), '0');
}

/** The bytes of a base 62 text, or null for one that `toBase62` never writes. */
export function fromBase62(text: string, octets: number): Uint8Array | null {
	if (text.length !== base62Length(octets)) return null;
	let number = 0n;
	for (const character of text) {
		const digit = BASE62_DIGITS.indexOf(character);
		if (digit < 0) return null;
		number = number * 62n + BigInt(digit);
	}
	const bytes = new Uint8Array(octets);
	for (let index = octets - 1; index >= 0; index -= 1) {
		bytes[index] = Number(number & 255n);
		number >>= 8n;
	}
	assert(number >= 0n, 'digits are not negative');
	return number === 0n ? bytes : null;
}

/** Bytes as base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('base64url');
}

/** The bytes of a base64url text, or null for any other text. */
export function fromBase64Url(text: string): Uint8Array | null {
	const isOne = /^[\w-]*$/.test(text) && text.length % 4 !== 1;
	return isOne ? new Uint8Array(Buffer.from(text, 'base64url')) : null;
}

/** Random bytes of a cryptographic source. */
export function secureRandom(octets: number): Uint8Array {
	return randomBytes(octets);
}

const ID_OCTETS = 12;
const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

/** A new identifier: prefix and 96 random bits, in lower-case hex. */
export function newId(prefix: string): string {
	const octets = crypto.getRandomValues(new Uint8Array(ID_OCTETS));
	let text = `${prefix}_`;
	for (const octet of octets) text += HEX[octet];
	return text;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** `length` random lower-case letters. */
export function randomLetters(length: number): string {
	return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
