import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import LISTS from './bundled-lists.json' with { type: 'json' };

// The lists of others that the Worker carries (docs/supply-chain.md). `npm run update -- supply` writes their hashes, whose
// diff is to be read.

/** Each file of a list: the author and the version, the holder whom the licence asks to name, and when it was taken or made. */
export { LISTS };

/** The lists that the Worker carries, with the SHA-256 of each. */
export function bundledLists(): Readonly<Record<string, string>> {
	const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
	return Object.fromEntries(globSync('src/core/**/data/*.ts').map((file) => [file, hashOf(file)]));
}

if (import.meta.main) {
	const hashes = bundledLists();
	const lists = LISTS.map((one) => ({ ...one, sha256: hashes[one.file] ?? one.sha256 }));
	writeFileSync('tools/bundled-lists.json', `${JSON.stringify(lists, null, '\t')}\n`);
}
