import { createHash, createHmac } from 'node:crypto';

/** SHA-256 as hex. */
export function sha256Hex(data: Uint8Array | string): string {
	return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 as hex, of the concatenated texts. */
export function sha256HexOf(pieces: Iterable<string>): string {
	const hash = createHash('sha256');
	for (const piece of pieces) hash.update(piece);
	return hash.digest('hex');
}

/** HMAC-SHA-256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
	return createHmac('sha256', key).update(data).digest();
}

/** HMAC-SHA-256 as hex, of the joined pieces. */
export function hmacSha256HexOf(key: string, pieces: readonly (Uint8Array | string)[]): string {
	const hmac = createHmac('sha256', key);
	for (const piece of pieces) hmac.update(piece);
	return hmac.digest('hex');
}

/** SHA-1, only for protocols that prescribe it: it is not secure. */
export function sha1(data: string): Uint8Array {
	return createHash('sha1').update(data).digest();
}
