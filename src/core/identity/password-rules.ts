import type { Address } from '../address/parse-address.ts';
import { isCommonPassword } from './common-passwords.ts';

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
