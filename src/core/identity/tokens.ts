import { equalInConstantTime, hmacSha256, sha256Hex } from '../../lib/digest.ts';
import { fromBase64Url, toBase64Url } from '../../lib/encodings.ts';
import { HOUR_MS } from '../../lib/time.ts';

/** Random bytes of every token: too many to guess, so its digest needs no salt and no slow hash. */
export const TOKEN_OCTETS = 32;

/** The stored digest of a challenge or of a session's token: a leaked database opens nothing. */
export function digestOfToken(token: string): string {
	return sha256Hex(token);
}

/** The name of the hidden field. */
export const TOKEN_FIELD = 'csrf';
/** Random bytes that `issueFormToken` needs. */
export const FORM_ID_OCTETS = 12;
const MAC_OCTETS = 16;

/**
 * The value of a form's hidden field. A random id in it detects a form that is sent twice. A proof that we rendered
 * it for this browser (`binding`: its session's or visitor's token) prevents cross-site request forgery. The value
 * differs each time, so that the size of a compressed page reveals nothing (BREACH).
 */
export function issueFormToken(binding: string, random: Uint8Array): string {
	return toBase64Url(new Uint8Array([...random, ...macOf(binding, random)]));
}

/** The form's id, or null for a token that we did not issue to this browser. */
export function readFormToken(binding: string, token: string): string | null {
	const bytes = fromBase64Url(token);
	if (bytes === null || bytes.length !== FORM_ID_OCTETS + MAC_OCTETS) return null;
	const random = bytes.subarray(0, FORM_ID_OCTETS);
	const given = toBase64Url(bytes.subarray(FORM_ID_OCTETS));
	if (!equalInConstantTime(given, toBase64Url(macOf(binding, random)))) return null;
	return sha256Hex(random).slice(0, 24);
}

function macOf(binding: string, random: Uint8Array): Uint8Array {
	return hmacSha256(`form ${binding}`, random).subarray(0, MAC_OCTETS);
}

/** A session ends after this time, also one in use. */
export const SESSION_MS = 30 * 24 * HOUR_MS;
// Writing the time at every request would cost a row each; people read it in days.
const TOUCH_AFTER_MS = HOUR_MS;

/** Whether the session is still valid at `now`. */
export function isAlive({ createdAt }: { readonly createdAt: number }, now: number): boolean {
	return now < createdAt + SESSION_MS;
}

/** Whether the session's last use should be stored again. */
export function needsTouch({ lastSeenAt }: { readonly lastSeenAt: number }, now: number): boolean {
	return now >= lastSeenAt + TOUCH_AFTER_MS;
}

/** A code and its link hold for this long. */
export const CODE_MS = 20 * 60_000;
/** So often a code may be typed, right or wrong: five guesses in a million. */
export const CODE_TRIES = 5;
/** Another code may be asked for after this time. */
export const CODE_AGAIN_MS = 30_000;

// 2^48 numbers make some codes likelier than others by four in a billion: too little to help a guess.
export const CODE_OCTETS = 6;

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
	return toBase64Url(hmacSha256(`challenge ${binding}`, sent));
}

/**
 * The stored form of a code. Its key is the challenge, which the database does not have: with a million codes a leaked
 * digest without a key would tell them all.
 */
export function digestOfCode(challenge: string, code: string): string {
	return toBase64Url(hmacSha256(`code ${challenge}`, code));
}

/**
 * The token of the session that a right code begins. It needs the browser's challenge and a salt that only the database
 * has: two right answers at once begin one session, and a challenge that an attacker planted opens nothing.
 */
export function sessionTokenOf(challenge: string, salt: string): string {
	return toBase64Url(hmacSha256(`session ${challenge}`, salt));
}
