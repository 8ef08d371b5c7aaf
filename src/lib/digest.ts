import { Buffer } from 'node:buffer';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

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

/** HMAC-SHA-256 (RFC 2104) of the joined pieces. Texts are their UTF-8. */
export function hmacSha256(key: Uint8Array | string, ...pieces: (Uint8Array | string)[]): Buffer {
	const hmac = createHmac('sha256', key);
	for (const piece of pieces) hmac.update(piece);
	return hmac.digest();
}

/** Compares two texts in a time that does not reveal where they differ (only whether their lengths do). */
export function equalInConstantTime(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/** FNV-1a of a text's UTF-16 units: a stable 32-bit number. */
export function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1)
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return hash >>> 0;
}
