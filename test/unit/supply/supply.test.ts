import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundledLists, LISTS } from '../../../tools/supply.ts';

// What we ship of others: docs/supply-chain.md. Tests run in the project's root.

/** A package as package-lock.json has it, by its folder. */
interface Locked {
	readonly name?: string;
	readonly license?: string;
	/** `sha512-…` of its archive. */
	readonly integrity?: string;
	readonly resolved?: string;
	readonly link?: true;
	readonly dev?: true;
	readonly devOptional?: true;
	readonly optional?: true;
	readonly hasInstallScript?: true;
	readonly os?: readonly string[];
	readonly cpu?: readonly string[];
	readonly libc?: readonly string[];
}

/** The packages of others; our own and the links to them are left out. */
function lockedPackages(file: string) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
	return Object.entries(packages)
		.filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
		.map(([folder, one]) => ({ ...one, folder, name: one.name ?? folder.replace(/^.*node_modules\//, '') }));
}

/** What runs with the Worker or the prober; the other packages are tools and tests. */
const shipped = lockedPackages('package-lock.json').filter(
	({ dev, devOptional }) => dev !== true && devOptional !== true,
);
/** May be shipped with our own code, which is MIT. OFL asks that it stays with the font, and nothing of what uses it. */
const LICENCES = /^(?:0BSD|Apache-2\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|OFL-1\.1|Unlicense)$/;

interface Manifest {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly devDependencies?: Readonly<Record<string, string>>;
	readonly allowScripts?: Readonly<Record<string, boolean>>;
}

describe.each([
	{
		folder: '',
		what: 'the service and its tools',
		direct: 35,
		all: 250,
		scripts: ['esbuild', 'node', 'workerd'],
	},
	{ folder: 'test/', what: 'tests with a browser and checkers', direct: 9, all: 150, scripts: [] },
])('the packages of $what', ({ folder, direct, all, scripts }) => {
	const locked = lockedPackages(`${folder}package-lock.json`);
	const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as Manifest;

	test('are pinned to one version each', () => {
		const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
		expect(versions.length).toBeGreaterThan(direct);
		expect(versions.filter((one) => !/^(?:npm:.+@)?\d+\.\d+\.\d+$/.test(one))).toEqual([]);
	});

	test('come from the registry', () => {
		expect(locked.length).toBeGreaterThan(all);
		const REGISTRY = 'https://registry.npmjs.org/';
		const others = locked.filter(({ resolved = REGISTRY }) => !resolved.startsWith(REGISTRY));
		expect(others).toEqual([]);
	});

	test('have a SHA-512, where the service is tested, deployed from and run', () => {
		const PLATFORMS = ['x64', 'arm64'].map((cpu) => ({ os: 'linux', cpu, libc: 'glibc' }));
		const fits = (words: readonly string[] = [], word: string) => words.length === 0 || words.includes(word);
		const without = locked
			.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true)
			.filter(
				({ integrity, optional, devOptional, os, cpu, libc }) =>
					integrity !== undefined ||
					(optional !== true && devOptional !== true) ||
					PLATFORMS.some((one) => fits(os, one.os) && fits(cpu, one.cpu) && fits(libc, one.libc)),
			);
		expect(without).toEqual([]);
	});

	test('run an install script only if package.json allows it', () => {
		const having = locked.filter(({ hasInstallScript }) => hasInstallScript === true);
		const { allowScripts = {} } = manifest;
		expect(having.map(({ name }) => name).toSorted()).toEqual(Object.keys(allowScripts).toSorted());
		const running = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
		expect(running.toSorted()).toEqual(scripts);
	});
});

test('licences of what is shipped let us ship it', () => {
	expect(shipped.filter(({ license = '' }) => !LICENCES.test(license))).toEqual([]);
});

test('what our code imports of others is counted as shipped, also what is no code', () => {
	const known = new Set(shipped.map(({ name }) => name));
	const files = [...globSync('src/**/*.{ts,tsx,js,css}'), 'tools/site.ts'];
	const imported = files.flatMap((file) =>
		[
			...readFileSync(file, 'utf8').matchAll(
				/^(?:(?:import|export) [^;']*?from '(?=[^.'])|const .*'node_modules\/)([^']*)'/gm,
			),
		].map(([, from = '']) => from),
	);
	const packagesOf = imported
		.filter((from) => !/^(?:node|cloudflare|built):/.test(from))
		.map((from) => /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '');
	expect(packagesOf).toEqual(expect.arrayContaining(['zod', '@fontsource-variable/geist']));
	expect([...new Set(packagesOf)].filter((name) => !known.has(name))).toEqual([]);
});

describe('bundled lists', () => {
	test('are those whose source, licence and date are written down: npm run update -- supply', () => {
		expect(LISTS.length).toBeGreaterThan(5);
		expect(Object.fromEntries(LISTS.map(({ file, sha256 }) => [file, sha256]))).toEqual(bundledLists());
		for (const one of LISTS) expect(one.date).toMatch(/^\d{4}-\d\d-\d\d$/);
	});

	test('stand beside the licence that asks for it, in full', () => {
		const notices = readFileSync('src/core/NOTICES.txt', 'utf8').split(/^=+\n(?=[A-Z])/m);
		const sources = LISTS.filter(({ copyright }) => copyright !== null);
		for (const [from] of sources.flatMap(({ source }) => [...source.matchAll(/(?:npm|PyPI) \S+ [\d.]+\d/g)]))
			expect(
				notices.find((one) => one.includes(`${from}\n`)),
				from,
			).toMatch(/Copyright [^]*Permission is hereby granted[^]*THE SOFTWARE IS PROVIDED/);
	});
});
