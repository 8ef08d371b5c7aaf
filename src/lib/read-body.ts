import { joinBytes } from './streams.ts';

/** The body of a request or response. Null: empty. */
export type Body = ReadableStream<Uint8Array> | null;

// The longest request body that Cloudflare passes on.
const DISCARDED_OCTETS_MAX = 100 * 1024 * 1024;

/**
 * Passes a body to `take` piece by piece, at most `octetsMax` octets. False: the body is longer. Then, and when `take`
 * throws, the rest is neither read nor cancelled.
 */
export async function readPieces(
	body: Body,
	octetsMax: number,
	take: (piece: Uint8Array) => void | Promise<void>,
): Promise<boolean> {
	let room = octetsMax;
	for await (const piece of body?.values({ preventCancel: true }) ?? []) {
		await take(piece.subarray(0, room));
		if (piece.length > room) return false;
		room -= piece.length;
	}
	return true;
}

/** The first `octetsMax` octets of a body, and whether they are the whole body. The rest is not read. */
export async function readOctets(
	body: Body,
	octetsMax: number,
): Promise<{ readonly octets: Uint8Array; readonly isWhole: boolean }> {
	const pieces: Uint8Array[] = [];
	const isWhole = await readPieces(body, octetsMax, (piece) => void pieces.push(piece));
	return { octets: joinBytes(pieces), isWhole };
}

/**
 * Reads and discards the rest of a request body. A client that is still writing when the response arrives would
 * otherwise see a broken connection. Never throws.
 */
export async function discard(body: Body): Promise<void> {
	try {
		await readPieces(body, DISCARDED_OCTETS_MAX, () => {});
	} catch {
		// The client has gone and needs no response.
	}
}
