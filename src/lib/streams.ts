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
	const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
	let offset = 0;
	for (const piece of pieces) {
		whole.set(piece, offset);
		offset += piece.length;
	}
	return whole;
}
