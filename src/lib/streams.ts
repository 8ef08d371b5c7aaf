/** A text in pieces as a stream of UTF-8, produced as it is read. Cancelling the stream ends the generator. */
export function streamOf(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream({
		async pull(controller) {
			const next = await pieces.next();
			if (next.done === true) controller.close();
			else controller.enqueue(encoder.encode(next.value));
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
