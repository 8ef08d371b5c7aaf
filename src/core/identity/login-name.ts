import type { Address } from '../address/parse-address.ts';

/**
 * The form of an address by which a person is found, without letter case. Strictly, only its own server may fold the
 * local part (RFC 5321 §2.4), but no provider gives `Ada@` and `ada@` to two people, and people forget which they
 * typed.
 */
export function loginNameOf({ localPart, domain }: Address): string {
	return `${localPart.normalize('NFC').toLowerCase()}@${domain}`;
}
