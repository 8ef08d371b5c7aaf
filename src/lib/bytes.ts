import { Buffer } from 'node:buffer';

/** All pieces as one, in their order. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
	return Buffer.concat(pieces);
}
