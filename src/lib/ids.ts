import { randomBytes } from 'node:crypto';

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
