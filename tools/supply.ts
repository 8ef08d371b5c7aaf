import { createHash } from 'node:crypto';
import { globSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

// The parts of the service that others wrote, by the lock file: docs/supply-chain.md.

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

export const LISTS_FILE = 'tools/bundled-lists.json';

/** Where a bundled list comes from. */
export interface ListSource {
	readonly file: string;
	/** The author, and the version. */
	readonly source: string;
	/** Null: our own. */
	readonly licence: string | null;
	/** The holder whom the licence asks to name; null: it asks for none. */
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

/** The lists that the Worker carries, with the hash of each. */
export function bundledLists(): Readonly<Record<string, string>> {
	const files = globSync('src/core/**/data/*.ts').map((file) => file.replaceAll('\\', '/'));
	return Object.fromEntries(files.map((file) => [file, sha256(readFileSync(file))]));
}

/** The file that says whose work is shipped, and under which terms. */
export function renderThirdParty(shipped: readonly LockedPackage[], lists: readonly ListSource[]): string {
	// Many have the same text, so each text stands once.
	const groups = Map.groupBy(shipped, licenceText);
	const data = lists
		.filter(({ licence }) => licence !== null)
		.map(
			({ file, source, licence, copyright }) =>
				`- \`${file}\`: ${source} (${licence}${copyright === null ? '' : `, copyright ${copyright}`})`,
		);
	return [
		'# The work of others',
		'',
		'What the Worker and the prober ship beside our own code, under the terms of its authors. Made by',
		'`npm run update:supply`; tools and tests are not shipped.',
		'',
		...shipped.map(({ name, version, license }) => `- ${name} ${version}: ${license}`),
		'',
		'Data, under the same terms as the packages of these licences:',
		'',
		...data,
		'',
		...[...groups].flatMap(([text, group]) => [
			`## ${group.map(({ name, version, license }) => `${name} ${version} (${license})`).join(', ')}`,
			'',
			'```text',
			text,
			'```',
			'',
		]),
	].join('\n');
}

/** The text in the package; where it has none, what its package.json says. */
function licenceText({ folder }: LockedPackage): string {
	const file = readdirSync(folder).find((name) =>
		/^(?:licen[cs]e|copying|unlicense)(?:\.(?:md|txt))?$/i.test(name),
	);
	if (file !== undefined)
		return readFileSync(path.join(folder, file), 'utf8')
			.replaceAll('\r\n', '\n')
			.replaceAll(/[ \t]+$/gm, '')
			.replaceAll('```', "'''")
			.trim();
	const { license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
		license?: string;
		author?: string | { name?: string };
	};
	const by = typeof author === 'string' ? author : author?.name;
	return `The package has no text of its licence. It says: ${license}${by === undefined || by === '' ? '' : `, by ${by}`}.`;
}

function sha256(content: Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}
