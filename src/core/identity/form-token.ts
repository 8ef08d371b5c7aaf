import { fromBase64Url, toBase64Url } from '../../lib/base-encodings.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { hmacSha256, sha256Hex } from '../../lib/digest.ts';

/** The name of the hidden field. */
export const TOKEN_FIELD = 'csrf';
/** Random bytes that `issueFormToken` needs. */
export const FORM_ID_OCTETS = 12;
const MAC_OCTETS = 16;
const encoder = new TextEncoder();

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
	return hmacSha256(encoder.encode(`form ${binding}`), random).subarray(0, MAC_OCTETS);
}
