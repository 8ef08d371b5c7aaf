import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

// The parts of the service that others wrote, by the lock file (docs/supply-chain.md). `npm run update -- supply` writes the
// hashes of the bundled lists, whose diff is to be read.

/** A package as package-lock.json has it. */
export interface LockedPackage {
	readonly name: string;
	readonly version: string;
	/** Where it is installed, from the project's root. */
	readonly folder: string;
	readonly license?: string;
	/** `sha512-…` of its archive. */
	readonly integrity?: string;
	/** Where it comes from, if not from the registry. */
	readonly resolved?: string;
	readonly link?: boolean;
	readonly dev?: boolean;
	readonly devOptional?: boolean;
	readonly optional?: boolean;
	readonly hasInstallScript?: boolean;
	readonly os?: readonly string[];
	readonly cpu?: readonly string[];
	readonly libc?: readonly string[];
}

/** The packages of others that a lock file names; our own and the links to them are left out. */
export function lockedPackages(file = 'package-lock.json'): readonly LockedPackage[] {
	const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
		packages: Readonly<Record<string, Omit<LockedPackage, 'folder'>>>;
	};
	return Object.entries(packages)
		.filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
		.map(([folder, entry]) => ({
			...entry,
			folder,
			name: entry.name ?? folder.replace(/^.*node_modules\//, ''),
		}))
		.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether a package runs with the Worker or the prober; the other packages are tools and tests. */
export function isShipped({ dev, devOptional }: LockedPackage): boolean {
	return dev !== true && devOptional !== true;
}

/**
 * Licences of what may be shipped with our own code, which is MIT: their text and their authors' names stand beside it.
 */
const ALLOWED = new Set([
	'0BSD',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'CC0-1.0',
	'ISC',
	'MIT',
	// A typeface, whole and unchanged: the licence asks that it stays with the font, and nothing of what uses it.
	'OFL-1.1',
	'Unlicense',
]);

/** Whether a package of this licence may be shipped. */
export function mayShip(license: string | undefined): boolean {
	return license !== undefined && ALLOWED.has(license);
}

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

/** The lists that the Worker carries, with the hash of each. */
export function bundledLists(): Readonly<Record<string, string>> {
	const files = globSync('src/core/**/data/*.ts').map((file) => file.replaceAll('\\', '/'));
	return Object.fromEntries(files.map((file) => [file, sha256(readFileSync(file))]));
}

function sha256(content: Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}

if (import.meta.main) {
	const hashes = bundledLists();
	const lists = readLists().map((one) => ({ ...one, sha256: hashes[one.file] ?? one.sha256 }));
	writeFileSync(LISTS_FILE, `${JSON.stringify(lists, null, '\t')}\n`);
}
