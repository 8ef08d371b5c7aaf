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

/** Has an input as a file, which can be read more than once, while `use` runs. */
export async function withFileOf<T>(
	input: AsyncIterable<Uint8Array>,
	signal: AbortSignal,
	use: (file: string) => Promise<T>,
): Promise<T> {
	const folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-'));
	try {
		const file = path.join(folder, 'input.csv');
		await pipeline(input, createWriteStream(file), { signal });
		return await use(file);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
