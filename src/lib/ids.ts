import { randomBytes } from 'node:crypto';

/** Random bytes of a cryptographic source. */
export function secureRandom(octets: number): Uint8Array {
	return randomBytes(octets);
}

/** A new identifier: prefix and 96 random bits, in lower-case hex. */
export function newId(prefix: string): string {
	return `${prefix}_${randomBytes(12).toString('hex')}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** `length` random lower-case letters. */
export function randomLetters(length: number): string {
	return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
