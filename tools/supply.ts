import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

// The lists of others that the Worker carries (docs/supply-chain.md). `npm run update -- supply` writes their hashes, whose
// diff is to be read.

const LISTS_FILE = 'tools/bundled-lists.json';

/** A file of a bundled list, and when it was taken or made (`2026-11-21`). */
interface ListSource {
	readonly file: string;
	/** The author, and the version. */
	readonly source: string;
	/** The holder whom the licence asks to name; null: it asks for none. */
	readonly copyright: string | null;
	readonly date: string;
	readonly sha256: string;
}

export function readLists(): readonly ListSource[] {
	return JSON.parse(readFileSync(LISTS_FILE, 'utf8')) as readonly ListSource[];
}

/** The lists that the Worker carries, with the SHA-256 of each. */
export function bundledLists(): Readonly<Record<string, string>> {
	const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
	return Object.fromEntries(globSync('src/core/**/data/*.ts').map((file) => [file, hashOf(file)]));
}

if (import.meta.main) {
	const hashes = bundledLists();
	const lists = readLists().map((one) => ({ ...one, sha256: hashes[one.file] ?? one.sha256 }));
	writeFileSync(LISTS_FILE, `${JSON.stringify(lists, null, '\t')}\n`);
}
