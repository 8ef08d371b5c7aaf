import { webCrypto } from './web-crypto.ts';

/** A key that nobody has used. */
export async function newIdempotencyKey(): Promise<string> {
	return (await webCrypto()).randomUUID();
}
