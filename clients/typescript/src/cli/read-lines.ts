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
