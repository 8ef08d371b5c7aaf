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
export const PASSWORD_COST: ScryptCost = { logN: 14, r: 8, p: 5 };
/** The cost on a developer's machine, where nothing is at stake. */
export const DEVELOPMENT_COST: ScryptCost = { logN: 8, r: 8, p: 1 };
const HASH_OCTETS = 32;
/** Random bytes that `hashPassword` needs. */
export const SALT_OCTETS = 16;

/** `scrypt$logN$r$p$salt$hash`: the parameters are part of it, so that the cost can be raised later. */
export async function hashPassword(
	password: string,
	salt: Uint8Array,
	cost = PASSWORD_COST,
): Promise<string> {
	const hash = await deriveByScrypt(password.normalize('NFKC'), salt, cost, HASH_OCTETS);
	return storedForm(salt, hash, cost);
}

/** Whether the password matches the stored hash. Without one (null) it is false, after the time that `cost` takes. */
export async function isPassword(
	password: string,
	stored: string | null,
	cost = PASSWORD_COST,
): Promise<boolean> {
	const unmatched = storedForm(new Uint8Array(SALT_OCTETS), new Uint8Array(HASH_OCTETS), cost);
	const [scheme, logN, r, p, salt = '', hash = ''] = (stored ?? unmatched).split('$');
	const saltBytes = fromBase64Url(salt);
	if (scheme !== 'scrypt' || saltBytes === null) return false;
	const storedCost = { logN: Number(logN), r: Number(r), p: Number(p) };
	const derived = await deriveByScrypt(password.normalize('NFKC'), saltBytes, storedCost, HASH_OCTETS);
	return equalInConstantTime(toBase64Url(derived), hash) && stored !== null;
}

function storedForm(salt: Uint8Array, hash: Uint8Array, { logN, r, p }: ScryptCost): string {
	return ['scrypt', logN, r, p, toBase64Url(salt), toBase64Url(hash)].join('$');
}
