import { readFileSync } from 'node:fs';

/** A package as package-lock.json has it. */
export interface LockedPackage {
	readonly name: string;
	readonly version: string;
	/** Where it is installed, from the project's root. */
	readonly folder: string;
	readonly licence: string | null;
	/** `sha512-…` of its archive; null where the registry did not tell. */
	readonly integrity: string | null;
	/** Where it comes from, if not from the registry. */
	readonly resolved: string | null;
	readonly isOptional: boolean;
	/** Runs with the Worker or the prober; others are tools and tests. */
	readonly isShipped: boolean;
	readonly hasInstallScript: boolean;
	readonly os: readonly string[];
	readonly cpu: readonly string[];
	readonly libc: readonly string[];
}

interface Entry {
	readonly name?: string;
	readonly version?: string;
	readonly license?: string;
	readonly integrity?: string;
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

/** The packages of others that the lock file names; our own and the links to them are left out. */
export function readLock(file = 'package-lock.json'): readonly LockedPackage[] {
	const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
		packages: Readonly<Record<string, Entry>>;
	};
	return Object.entries(packages)
		.filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
		.map(([folder, entry]) => ({
			name: entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
			version: entry.version ?? '',
			folder,
			licence: entry.license ?? null,
			integrity: entry.integrity ?? null,
			resolved: entry.resolved ?? null,
			isOptional: entry.optional === true || entry.devOptional === true,
			isShipped: entry.dev !== true && entry.devOptional !== true,
			hasInstallScript: entry.hasInstallScript === true,
			os: entry.os ?? [],
			cpu: entry.cpu ?? [],
			libc: entry.libc ?? [],
		}))
		.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Where the service is tested, deployed from and run: everything that is installed there has a hash. */
const PLATFORMS = ['x64', 'arm64'].map((cpu) => ({ os: 'linux', cpu, libc: 'glibc' }));

/** What is wrong with where the packages come from. */
export function lockProblems(packages: readonly LockedPackage[]): readonly string[] {
	return packages.flatMap(({ folder, integrity, resolved, isOptional, os, cpu, libc }) => {
		if (resolved !== null && !resolved.startsWith('https://registry.npmjs.org/'))
			return [`${folder} comes from ${resolved}, not from the registry`];
		if (integrity?.startsWith('sha512-') === true) return [];
		if (integrity !== null) return [`${folder} has a weak hash: ${integrity}`];
		const fits = (words: readonly string[], word: string): boolean =>
			words.length === 0 || words.includes(word);
		const isForUs = PLATFORMS.some((one) => fits(os, one.os) && fits(cpu, one.cpu) && fits(libc, one.libc));
		return isOptional && !isForUs ? [] : [`${folder} has no hash`];
	});
}

/** What differs between the packages that run something when they are installed, and those that package.json names. */
export function scriptProblems(
	packages: readonly LockedPackage[],
	allowed: Readonly<Record<string, boolean>>,
): readonly string[] {
	const having = new Set(packages.filter((one) => one.hasInstallScript).map(({ name }) => name));
	return [
		...[...having]
			.filter((name) => !(name in allowed))
			.map((name) => `${name} has an install script: allow or deny it`),
		...Object.keys(allowed)
			.filter((name) => !having.has(name))
			.map((name) => `${name} has no install script: take it out of allowScripts`),
	];
}
