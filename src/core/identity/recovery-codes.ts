import { hmacSha256, sha256Hex } from '../../lib/digest.ts';

export const RECOVERY_CODES = 10;
// 80 bits: too many to guess, so that a digest needs no salt and no slow hash.
const CODE_LENGTH = 16;
// Crockford's base 32: without the letters that are read as figures.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const encoder = new TextEncoder();

/**
 * Makes ten codes, each good for one sign-in without the app: `7k2m-9qxd-w4hn-0rtz`. They are shown once. They follow
 * from the session's token and the form's id, neither of which is stored, so a form sent twice shows the same codes.
 */
export function makeRecoveryCodes(sessionToken: string, formId: string): readonly string[] {
	const key = encoder.encode(`recovery codes ${sessionToken}`);
	return Array.from({ length: RECOVERY_CODES }, (_, index) => {
		const random = hmacSha256(key, encoder.encode(`${formId} ${index}`));
		const code = Array.from(random.subarray(0, CODE_LENGTH), (octet) => DIGITS[octet % 32]).join('');
		return code.replaceAll(/(.{4})(?!$)/g, '$1-');
	});
}

/** The stored form of a code. */
export function digestOfRecoveryCode(code: string): string {
	return sha256Hex(`recovery code ${plain(code)}`);
}

/** The person's input where we ask for a code. */
export type TypedCode =
	| { readonly kind: 'app'; readonly code: string }
	| { readonly kind: 'recovery'; readonly digest: string };

/** Reads six figures, or a recovery code in any spelling; null for anything else. */
export function readCode(text: string): TypedCode | null {
	const figures = text.replaceAll(/[\s-]/g, '');
	if (/^\d{6}$/.test(figures)) return { kind: 'app', code: figures };
	const code = plain(text);
	const isCode = code.length === CODE_LENGTH && Array.from(code).every((digit) => DIGITS.includes(digit));
	return isCode ? { kind: 'recovery', digest: digestOfRecoveryCode(code) } : null;
}

function plain(code: string): string {
	return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
