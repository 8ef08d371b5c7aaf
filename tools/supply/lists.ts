import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

export const LISTS_FILE = 'tools/supply/lists.json';

/** Where a bundled list comes from. */
export interface ListSource {
	readonly file: string;
	/** Whose it is, in which version. */
	readonly source: string;
	/** Null: our own. */
	readonly licence: string | null;
	/** Whom the licence asks to name; null: nobody. */
	readonly copyright: string | null;
	/** When it was taken or made, `2026-11-21`. */
	readonly date: string;
	/** How to get a newer one. */
	readonly refresh: string;
	readonly sha256: string;
}

export function readLists(): readonly ListSource[] {
	return JSON.parse(readFileSync(LISTS_FILE, 'utf8')) as readonly ListSource[];
}

/** The lists that the Worker carries. */
export function bundledLists(): readonly string[] {
	return globSync('src/core/**/data/*.ts')
		.map((file) => file.replaceAll('\\', '/'))
		.toSorted();
}

export function hashOf(file: string): string {
	return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** What is wrong with what is said about the lists. */
export function listProblems(lists: readonly ListSource[], bundled: readonly string[]): readonly string[] {
	const said = new Map(lists.map((one) => [one.file, one]));
	return [
		...bundled.flatMap((file) => {
			const one = said.get(file);
			if (one === undefined)
				return [`${file} is bundled, and ${LISTS_FILE} does not say where it comes from`];
			return one.sha256 === hashOf(file)
				? []
				: [`${file} has changed: see to its source, then npm run update:supply`];
		}),
		...lists.filter(({ file }) => !bundled.includes(file)).map(({ file }) => `${file} is not there any more`),
	];
}
