import { hmacSha256 } from '../../lib/digest.ts';
import { toBase64Url } from '../../lib/encodings.ts';

/** A code and its link hold for this long. */
export const CODE_MS = 20 * 60_000;
/** So often a code may be typed, right or wrong: five guesses in a million. */
export const CODE_TRIES = 5;
/** Another code may be asked for after this time. */
export const CODE_AGAIN_MS = 30_000;

// 2^48 numbers make some codes likelier than others by four in a billion: too little to help a guess.
export const CODE_OCTETS = 6;
const encoder = new TextEncoder();

/** Six digits, from random bytes. */
export function makeCode(random: Uint8Array): string {
	const number = random.reduce((sum, octet) => sum * 256 + octet, 0);
	return String(number % 1_000_000).padStart(6, '0');
}

/** The code in what a person typed or pasted: spaces and hyphens do not count; null: not six digits. */
export function readCode(typed: string): string | null {
	const digits = typed.replaceAll(/[\s-]/g, '');
	return /^[0-9]{6}$/.test(digits) ? digits : null;
}

/**
 * The challenge of a form that asks for a code: a secret that only this browser has, as it follows from the browser's own
 * secret (`binding`) and what was sent. So a form that is sent twice asks once.
 */
export function challengeOf(binding: string, sent: string): string {
	return toBase64Url(hmacSha256(encoder.encode(`challenge ${binding}`), encoder.encode(sent)));
}

/**
 * The stored form of a code. Its key is the challenge, which the database does not have: with a million codes a leaked
 * digest without a key would tell them all.
 */
export function digestOfCode(challenge: string, code: string): string {
	return toBase64Url(hmacSha256(encoder.encode(`code ${challenge}`), encoder.encode(code)));
}

/**
 * The token of the session that a right code begins. It needs the browser's challenge and a salt that only the database
 * has: two right answers at once begin one session, and a challenge that an attacker planted opens nothing.
 */
export function sessionTokenOf(challenge: string, salt: string): string {
	return toBase64Url(hmacSha256(encoder.encode(`session ${challenge}`), encoder.encode(salt)));
}
