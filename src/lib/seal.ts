import { hmacSha256 } from './digest.ts';
import { fromBase64Url, toBase64Url } from './encodings.ts';

const IV_OCTETS = 12;
/** Random bytes that `seal` needs. */
export const SEAL_OCTETS = IV_OCTETS;
const encoder = new TextEncoder();

/** Seals a text with a secret, so that a leaked database does not tell it. `iv`: random bytes. */
export async function seal(secret: Uint8Array, text: string, iv: Uint8Array): Promise<string> {
	const nonce = new Uint8Array(iv.subarray(0, IV_OCTETS));
	const key = await sealingKey(secret, 'encrypt');
	const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, encoder.encode(text));
	return toBase64Url(new Uint8Array([...nonce, ...new Uint8Array(sealed)]));
}

/** Opens what `seal` sealed. Throws for anything else. */
async function unseal(secret: Uint8Array, sealed: string): Promise<string> {
	const bytes = new Uint8Array(fromBase64Url(sealed) ?? []);
	const key = await sealingKey(secret, 'decrypt');
	const iv = bytes.subarray(0, IV_OCTETS);
	const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV_OCTETS));
	return new TextDecoder().decode(opened);
}

/** Opens what one of the secrets sealed. Null: none of them opens it. */
export async function unsealWithAny(secrets: readonly Uint8Array[], sealed: string): Promise<string | null> {
	for (const secret of secrets) {
		try {
			return await unseal(secret, sealed);
		} catch {
			// Sealed by another.
		}
	}
	return null;
}

async function sealingKey(secret: Uint8Array, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
	const raw = new Uint8Array(hmacSha256(secret, 'sealed secret'));
	return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, [use]);
}
