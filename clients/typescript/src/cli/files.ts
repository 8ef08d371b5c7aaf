import { createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Has a file written under another name, so that it is there as a whole or not at all. */
export async function renameInto(file: string, write: (part: string) => Promise<void>): Promise<void> {
	const part = `${file}.part`;
	try {
		await write(part);
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
}

/** Has the input as a file, which can be read more than once, while `use` runs. */
export async function withInputAsFile(
	signal: AbortSignal,
	use: (file: string) => Promise<void>,
): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-'));
	try {
		const file = path.join(folder, 'input.csv');
		await pipeline(process.stdin, createWriteStream(file), { signal });
		await use(file);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

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

/** The words of a command; in the place of `-` the lines of the input that are not blank. */
export async function* wordsOf(words: readonly string[]): AsyncGenerator<string, void, undefined> {
	for (const word of words) {
		if (word !== '-') yield word;
		else for await (const line of readLines(process.stdin)) if (line.trim() !== '') yield line.trim();
	}
}
