import { createWriteStream, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes a file as its content comes. It is there as a whole or not at all. */
export async function save(file: string, content: AsyncIterable<Uint8Array | string>): Promise<void> {
	const part = `${file}.part`;
	try {
		await pipeline(content, createWriteStream(part));
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
}

/** Replaces a file that nobody else can read. It is never half written. */
export function saveInPrivate(file: string, value: object): void {
	const part = `${file}.${process.pid}`;
	// What is left of a process with the same id may be readable for others.
	rmSync(part, { force: true });
	writeFileSync(part, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' });
	renameSync(part, file);
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
