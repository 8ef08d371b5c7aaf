/** Bytes as base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
	let binary = '';
	for (const byte of bytes) binary += String.fromCodePoint(byte);
	return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes of a base64url text, or null for any other text. */
export function fromBase64Url(text: string): Uint8Array | null {
	if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
	const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
	return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}
