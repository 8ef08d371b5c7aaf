/** The lines of an input, without their ends. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const octets of input) {
		const lines = (rest + decoder.decode(octets, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) yield line.replace(/\r$/, '');
	}
	rest += decoder.decode();
	if (rest !== '') yield rest;
}

/** The words of a command; in the place of `-` the lines of its input that are not blank. */
export async function* wordsOf(
	words: readonly string[],
	input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
	for (const word of words) {
		if (word !== '-') yield word;
		else for await (const line of readLines(input)) if (line.trim() !== '') yield line.trim();
	}
}
