import type { Address } from '../address/parse-address.ts';

/**
 * What an address is found by: letter case tells nobody apart. Only its own server may fold the local part (RFC 5321
 * §2.4), but no provider gives `Ada@` and `ada@` to two people, and people do not remember which they typed.
 */
export function loginNameOf({ localPart, domain }: Address): string {
	return `${localPart.normalize('NFC').toLowerCase()}@${domain}`;
}
