import type { Address } from '../address/parse-address.ts';
import { isCommonPassword } from './common-passwords.ts';
import { fromBase64Url, toBase64Url } from '../../lib/encodings.ts';
import { equalInConstantTime } from '../../lib/digest.ts';
import { deriveByScrypt } from '../../lib/scrypt.ts';
import type { ScryptCost } from '../../lib/scrypt.ts';

// NIST SP 800-63B §5.1.1.2: at least 8, and 64 must be possible. We allow long passphrases, but not any length, because
// hashing time grows with it.
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
const OUR_NAME = 'mailsonar';
// A shorter part of an address also occurs in many good passwords.
const NAME_MIN = 4;

const FAULTS = {
	too_short: `Use at least ${PASSWORD_MIN} characters. A few words in a row are easy to remember`,
	too_long: `Use at most ${PASSWORD_MAX} characters`,
	common: 'This password is one of those that are tried first. Use another one, such as a few words in a row',
	like_address: 'This password is too close to your email address',
	like_product: 'This password is too close to the name of this service',
} as const;

export type PasswordFault = keyof typeof FAULTS;

/** One sentence for the person who chose the password. */
export function describePasswordFault(fault: PasswordFault): string {
	return FAULTS[fault];
}

/**
 * Returns the fault of a new password, or null. Checks length and predictability; no composition rules (NIST SP
 * 800-63B §5.1.1.2). Length is in code points after NFKC, the form that is hashed.
 */
export function findPasswordFault(
	password: string,
	{ email, localPart, domain }: Address,
): PasswordFault | null {
	const normal = password.normalize('NFKC');
	const length = Array.from(normal).length;
	if (length < PASSWORD_MIN) return 'too_short';
	if (length > PASSWORD_MAX) return 'too_long';
	const lower = normal.toLowerCase();
	if (isMostly(lower, OUR_NAME)) return 'like_product';
	const mailbox = localPart.replace(/\+[^]*/, '');
	const names = [
		email,
		localPart,
		mailbox,
		domain,
		...domain.split('.').slice(0, -1),
		...localPart.split(/[.+_-]/),
	];
	if (names.some((name) => name.length >= NAME_MIN && isMostly(lower, name.toLowerCase())))
		return 'like_address';
	return isCommonPassword(normal) ? 'common' : null;
}

/** Whether the password is the word, once or repeated, with at most four other characters. */
function isMostly(password: string, word: string): boolean {
	const rest = password.replaceAll(word, '');
	return rest.length < password.length && Array.from(rest).length <= 4;
}

// The OWASP profile with the least memory: 16 of the 128 MiB that all requests of an isolate share.
const COST: ScryptCost = { logN: 14, r: 8, p: 5 };
const HASH_OCTETS = 32;
/** Random bytes that `hashPassword` needs. */
export const SALT_OCTETS = 16;

// Checked if there is no such person, so that the check takes as long. No password matches it.
const UNMATCHED_HASH = `scrypt$14$8$5$${toBase64Url(new Uint8Array(SALT_OCTETS))}$${toBase64Url(new Uint8Array(HASH_OCTETS))}`;

/** `scrypt$logN$r$p$salt$hash`: the parameters are part of it, so that the cost can be raised later. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
	const hash = await deriveByScrypt(password.normalize('NFKC'), salt, COST, HASH_OCTETS);
	return ['scrypt', COST.logN, COST.r, COST.p, toBase64Url(salt), toBase64Url(hash)].join('$');
}

/** Whether the password matches the stored hash. Without one (null) it is false, after the same time. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
	const [scheme, logN, r, p, salt = '', hash = ''] = (stored ?? UNMATCHED_HASH).split('$');
	const saltBytes = fromBase64Url(salt);
	if (scheme !== 'scrypt' || saltBytes === null) return false;
	const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
	const derived = await deriveByScrypt(password.normalize('NFKC'), saltBytes, cost, HASH_OCTETS);
	return equalInConstantTime(toBase64Url(derived), hash) && stored !== null;
}
