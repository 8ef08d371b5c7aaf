import { toBase62 } from '../../lib/base-encodings.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { Address } from '../address/parse-address.ts';
import type { SigningSecret } from '../keys/api-key.ts';

// HMAC-SHA-256 cut to 128 bits (RFC 2104 §5 allows down to 80).
const DIGEST_OCTETS = 16;

/**
 * What stands for an address in its account: a keyed hash by each of our secrets, the one in use first. Without the
 * secret nobody can tell whether an address is among them, and the same address has another hash in each account. Equal
 * for both scripts of a domain, and for any letter case: few servers know two mailboxes by it.
 */
export function addressDigests(
	secrets: readonly SigningSecret[],
	accountId: string,
	{ localPart, domain }: Pick<Address, 'localPart' | 'domain'>,
): readonly string[] {
	// A zero octet is in no account id and in no address, so that no two inputs are alike.
	const text = new TextEncoder().encode(`own outcome\0${accountId}\0${localPart.toLowerCase()}@${domain}`);
	return secrets.map(({ secret }) => toBase62(hmacSha256(secret, text).subarray(0, DIGEST_OCTETS)));
}
