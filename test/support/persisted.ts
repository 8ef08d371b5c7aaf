import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where a word stands in what is stored. */
export interface Trace {
	readonly file: string;
	readonly word: string;
	/** The printable characters around it. */
	readonly around: string;
}

const AROUND = 60;

/**
 * Every place of a folder that holds one of the words, in whatever case, as it is or in base64: byte by byte, so that
 * free pages, write-ahead logs and what is left of deleted rows count as well. A word of letters and digits is the same
 * when it is percent-encoded. UTF-16 counts too.
 */
export function tracesOf(folder: string, words: readonly string[]): readonly Trace[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.flatMap((entry) => {
			const path = join(entry.parentPath, entry.name);
			return tracesIn(readFileSync(path), words).map((trace) => ({ file: relative(folder, path), ...trace }));
		});
}

/** The same for one text. */
export function tracesIn(bytes: Buffer, words: readonly string[]): readonly Omit<Trace, 'file'>[] {
	// One character for each byte.
	const text = bytes.toString('latin1');
	const lower = text.toLowerCase();
	return words.flatMap((word) => {
		const spots = [
			...formsOf(word).map((form) => text.indexOf(form)),
			lower.indexOf(word.toLowerCase()),
		].filter((spot) => spot >= 0);
		const [spot] = spots;
		if (spot === undefined) return [];
		const around = text.slice(Math.max(0, spot - AROUND), spot + word.length + AROUND);
		return [{ word, around: around.replaceAll(/[^ -~]/g, '·') }];
	});
}

/** Spellings that are not the letters themselves: UTF-16, and base64 at each of its three offsets. */
function formsOf(word: string): readonly string[] {
	const utf16 = Buffer.from(word, 'utf16le').toString('latin1');
	const base64 = [0, 1, 2].map((offset) => {
		const encoded = Buffer.from('\0'.repeat(offset) + word)
			.toString('base64')
			.replaceAll('=', '');
		// The characters at both ends depend on what stands beside the word.
		return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
	});
	return [utf16, ...base64];
}
