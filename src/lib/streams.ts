/** A text in pieces as a stream of UTF-8, made as it is read. Who stops reading ends the work. */
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

/** The pieces of a stream, which is let go where nobody reads it to its end. */
export async function* piecesOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
	const reader = stream.getReader();
	let isOver = false;
	try {
		for (;;) {
			const read = await reader.read();
			isOver = read.done;
			if (read.done) return;
			yield read.value;
		}
	} finally {
		if (!isOver) await reader.cancel().catch(() => {});
	}
}
