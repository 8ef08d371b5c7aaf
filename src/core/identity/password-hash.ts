import { fromBase64Url, toBase64Url } from '../../lib/base-encodings.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { deriveByScrypt } from '../../lib/scrypt.ts';
import type { ScryptCost } from '../../lib/scrypt.ts';

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
