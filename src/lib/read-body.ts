import { joinBytes } from './bytes.ts';

/** What a request or an answer carries. Null: nothing. */
export type Body = ReadableStream<Uint8Array> | null;

// The longest request that Cloudflare hands on to us.
const DISCARDED_OCTETS_MAX = 100 * 1024 * 1024;

/**
 * Gives a body piece by piece, `octetsMax` octets of it at most. False: it is longer. Then, and when `take` throws, what
 * follows stays where it is, neither read nor cancelled.
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

/** The first `octetsMax` octets of a body, and whether that is all of it. What follows stays where it is. */
export async function readOctets(
	body: Body,
	octetsMax: number,
): Promise<{ readonly octets: Uint8Array; readonly isWhole: boolean }> {
	const pieces: Uint8Array[] = [];
	const isWhole = await readPieces(body, octetsMax, (piece) => void pieces.push(piece));
	return { octets: joinBytes(pieces), isWhole };
}

/**
 * Reads on in a request that was answered or is about to be, keeping nothing: a client that still writes when the answer
 * comes sees a broken connection instead. Never throws.
 */
export async function discard(body: Body): Promise<void> {
	try {
		await readPieces(body, DISCARDED_OCTETS_MAX, () => {});
	} catch {
		// The client went away, and needs no answer.
	}
}
