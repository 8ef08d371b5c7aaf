import { Buffer } from 'node:buffer';

/**
 * Pieces as a stream, produced as it is read; texts become UTF-8. Cancelling the stream ends the generator.
 */
export function streamOf(
	pieces: AsyncGenerator<string | Uint8Array, void, undefined>,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream({
		async pull(controller) {
			const next = await pieces.next();
			if (next.done === true) controller.close();
			else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
		},
		async cancel() {
			await pieces.return();
		},
	});
}

/** Concatenates the pieces. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
	const { buffer, byteOffset, length } = Buffer.concat(pieces);
	return new Uint8Array(buffer, byteOffset, length);
}

/** The body of a request or response. Null: empty. */
type Body = ReadableStream<Uint8Array> | null;

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

/** A request or a response. */
type Message = Pick<Response, 'headers' | 'body' | 'arrayBuffer'>;

/**
 * The first `octetsMax` octets of a body, and whether they are the whole body. The rest is not read. A body that
 * announces its length is read by the platform, which takes no octet more (RFC 9112 §6.3), for half of what its pieces
 * cost.
 */
export async function readOctets(
	message: Message,
	octetsMax: number,
): Promise<{ readonly octets: Uint8Array; readonly isWhole: boolean }> {
	// The length is that before it is inflated.
	const announced = message.headers.has('content-encoding') ? null : message.headers.get('content-length');
	if (announced !== null && Number(announced) <= octetsMax)
		return { octets: new Uint8Array(await message.arrayBuffer()), isWhole: true };
	const pieces: Uint8Array[] = [];
	const isWhole = await readPieces(message.body, octetsMax, (piece) => void pieces.push(piece));
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
