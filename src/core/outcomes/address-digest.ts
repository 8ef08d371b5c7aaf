import { toBase62 } from '../../lib/base-encodings.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { Address } from '../address/parse-address.ts';
import type { SigningSecret } from '../keys/api-key.ts';

// HMAC-SHA-256 cut to 128 bits (RFC 2104 §5 allows down to 80).
const DIGEST_OCTETS = 16;

/**
 * The digests that stand for an address in its account: a keyed hash for each of our secrets, the current one first.
 * Without the secret an address can't be tested against them, and it has another digest in each account. Both scripts
 * of a domain, and any letter case, give the same digest: few servers distinguish mailboxes by case.
 */
export function addressDigests(
	secrets: readonly SigningSecret[],
	accountId: string,
	{ localPart, domain }: Pick<Address, 'localPart' | 'domain'>,
): readonly string[] {
	// No account id and no address contains a zero octet, so no two inputs are equal.
	const text = new TextEncoder().encode(`own outcome\0${accountId}\0${localPart.toLowerCase()}@${domain}`);
	return secrets.map(({ secret }) => toBase62(hmacSha256(secret, text).subarray(0, DIGEST_OCTETS)));
}
