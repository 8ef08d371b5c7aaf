import { RowReader, findEncoding } from '../../../src/core/upload/text.ts';
import { findFormat } from '../../../src/core/upload/format.ts';
import { inspectFile } from '../../../src/core/upload/inspect.ts';
import { atOnce } from '../../../src/lib/slots.ts';
import type { Services } from '../../../src/services.ts';
import { errorOf } from './bad-variable.ts';

/** A file's octets: UTF-8 unless said otherwise. */
export function fileOf(text: string, encoding: 'utf8' | 'utf16le' | 'latin1' = 'utf8'): Uint8Array {
	return new Uint8Array(Buffer.from(text, encoding));
}

/** The same text with the octets of each letter swapped. */
export function utf16be(text: string): Uint8Array {
	return new Uint8Array(Buffer.from(text, 'utf16le').swap16());
}

/** A file of `octets` octets at most that repeats a text. */
export function repeated(text: string, octets: number): Uint8Array {
	const unit = fileOf(text);
	const file = new Uint8Array(Math.floor(octets / unit.length) * unit.length);
	for (let at = 0; at < file.length; at += unit.length) file.set(unit, at);
	return file;
}

export const inspected = (file: Uint8Array) => atOnce(inspectFile(file));
export const formatOf = (file: Uint8Array) => atOnce(findFormat(file));
export const encodingOf = (file: Uint8Array) => atOnce(findEncoding(file));

/** File work without other requests: it starts at once and never pauses. */
export const aloneAtWork: Services['fileWork'] = { run: async (work) => work(() => Promise.resolve()) };

/** All rows of a file, including the header, read in steps of `step` octets. */
export function rowsOf(file: Uint8Array, step = file.length): readonly (readonly string[])[] {
	const reader = new RowReader(inspected(file).format);
	const rows = [];
	for (let at = 0; at < file.length; at += step) rows.push(...reader.push(file.subarray(at, at + step)));
	rows.push(...reader.end());
	return rows.map(({ cells }) => cells);
}

/** The message of the ServiceError that the attempt throws. */
export function refusalOf(attempt: () => unknown): string {
	const error = errorOf(attempt);
	if (error.name === 'ServiceError') return error.message;
	throw error;
}

/** Everything that an iterable yields. */
export async function collected<T>(pieces: AsyncIterable<T>): Promise<readonly T[]> {
	const all: T[] = [];
	for await (const piece of pieces) all.push(piece);
	return all;
}
