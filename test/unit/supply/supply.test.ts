import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditProblems, readExplained, readFindings } from '../../../tools/supply/audit.ts';
import { shippedBom } from '../../../tools/supply/bom.ts';
import { licenceProblems, renderThirdParty } from '../../../tools/supply/licences.ts';
import { bundledLists, listProblems, readLists } from '../../../tools/supply/lists.ts';
import { lockProblems, readLock, scriptProblems } from '../../../tools/supply/lock.ts';
import type { LockedPackage } from '../../../tools/supply/lock.ts';
import { wrangler } from '../../support/deployment/run-wrangler.ts';

// What we ship of others: docs/supply-chain.md. Tests run in the project's root.

const packages = readLock();
const shipped = packages.filter(({ isShipped }) => isShipped);
const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	allowScripts: Readonly<Record<string, boolean>>;
};

function locked(part: Partial<LockedPackage>): LockedPackage {
	return {
		name: 'left',
		version: '1.0.0',
		folder: 'node_modules/left',
		licence: 'MIT',
		integrity: 'sha512-x',
		resolved: null,
		isOptional: false,
		isShipped: true,
		hasInstallScript: false,
		os: [],
		cpu: [],
		libc: [],
		...part,
	};
}

describe('the lock file', () => {
	test('has every package from the registry, with a hash', () => {
		expect(packages.length).toBeGreaterThan(300);
		expect(lockProblems(packages)).toEqual([]);
	});

	test.each([
		['another place', { resolved: 'https://example.com/left.tgz' }, 'not from the registry'],
		[
			'a copy of a repository',
			{ resolved: 'git+ssh://git@github.com/left/left.git#1' },
			'not from the registry',
		],
		['no hash', { integrity: null }, 'has no hash'],
		['an old hash', { integrity: 'sha1-x' }, 'weak hash'],
		[
			'no hash, where we run',
			{ integrity: null, isOptional: true, os: ['linux'], cpu: ['arm64'] },
			'has no hash',
		],
	])('may not have a package with %s', (_, part, told) => {
		expect(lockProblems([locked(part)])).toEqual([expect.stringContaining(told)]);
	});

	test('may leave the hash of what is for other machines alone', () => {
		const others = [{ os: ['darwin'] }, { os: ['linux'], libc: ['musl'] }, { cpu: ['s390x'] }];
		const optional = others.map((part) => locked({ ...part, integrity: null, isOptional: true }));
		expect(lockProblems(optional)).toEqual([]);
	});
});

describe('install scripts', () => {
	test('run for the packages that package.json allows, and for no other', () => {
		expect(scriptProblems(packages, allowScripts)).toEqual([]);
		const running = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
		expect(running.toSorted()).toEqual(['esbuild', 'node', 'workerd']);
	});

	test('of a package that nobody has named are told', () => {
		const having = [locked({ hasInstallScript: true })];
		expect(scriptProblems(having, {})).toEqual(['left has an install script: allow or deny it']);
		expect(scriptProblems(having, { left: false })).toEqual([]);
		expect(scriptProblems([locked({})], { left: true })).toEqual([expect.stringContaining('take it out')]);
	});
});

describe('licences', () => {
	test('of what is shipped let us ship it', () => {
		expect(licenceProblems(shipped)).toEqual([]);
	});

	test.each([
		'GPL-3.0-only',
		'AGPL-3.0',
		'LGPL-3.0-or-later',
		'MPL-2.0',
		'MIT AND GPL-2.0',
		'UNLICENSED',
		null,
	])('%s does not', (licence) => {
		expect(licenceProblems([locked({ licence })]).length).toBe(1);
	});

	test('stand in THIRD-PARTY.md, with their texts: npm run update:supply', () => {
		const file = readFileSync('THIRD-PARTY.md', 'utf8');
		expect(file).toBe(renderThirdParty(shipped, readLists()));
		for (const { name, version } of shipped) expect(file).toContain(`\n- ${name} ${version}: `);
	});
});

test('the Worker’s code holds no package that is not counted as shipped', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
	try {
		const meta = path.join(folder, 'meta.json');
		const said = wrangler([
			'deploy',
			'--dry-run',
			'--env',
			'staging',
			'--outdir',
			folder,
			'--metafile',
			meta,
		]);
		expect(said.status).toBe(0);
		const { inputs } = JSON.parse(readFileSync(meta, 'utf8')) as { inputs: object };
		const folders = Object.keys(inputs).flatMap((file) => {
			const [, inside] =
				/(node_modules\/.*node_modules\/(?:@[^/]+\/)?[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file) ??
				[];
			return inside === undefined ? [] : [inside];
		});
		const held = new Set(folders);
		expect(held.has('node_modules/zod')).toBe(true);
		// Wrangler puts a few lines of its own around every Worker.
		const known = new Set([...shipped.map((one) => one.folder), 'node_modules/wrangler']);
		expect([...held].filter((one) => !known.has(one))).toEqual([]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('what our code imports of others is counted as shipped, also what is no code', () => {
	const known = new Set(shipped.map(({ name }) => name));
	const imported = globSync('src/**/*.{ts,tsx,js,css}').flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;']*?from '([^.'][^']*)'/gm)].map(
			([, from = '']) => from,
		),
	);
	const packagesOf = imported
		.filter((from) => !/^(?:node|cloudflare):/.test(from))
		.map((from) => /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '');
	expect(packagesOf).toEqual(expect.arrayContaining(['zod', '@fontsource-variable/geist']));
	expect([...new Set(packagesOf)].filter((name) => !known.has(name))).toEqual([]);
});

describe('bundled lists', () => {
	test('are those whose source, licence and date are written down: npm run update:supply', () => {
		const lists = readLists();
		expect(listProblems(lists, bundledLists())).toEqual([]);
		for (const one of lists) expect(one.date).toMatch(/^\d{4}-\d\d-\d\d$/);
	});

	test('that are made of packages say the same in their own first lines', () => {
		const ofPackages = readLists().filter(({ source }) => source.startsWith('npm '));
		expect(ofPackages.length).toBe(5);
		for (const { file, source, licence } of ofPackages)
			expect(readFileSync(file, 'utf8')).toContain(`// Source: ${source}, licence ${licence}\n`);
	});

	test('that are changed, new or gone are told', () => {
		const [first, ...rest] = readLists();
		const bundled = bundledLists();
		const changed = listProblems([{ ...first!, sha256: '0' }, ...rest], bundled);
		expect(changed).toEqual([expect.stringContaining(`${first?.file} has changed`)]);
		expect(listProblems(rest, bundled)).toEqual([
			expect.stringContaining('does not say where it comes from'),
		]);
		expect(listProblems([...rest, first!], bundled.slice(1))).toEqual([
			expect.stringContaining('is not there'),
		]);
	});
});

describe('known weaknesses', () => {
	const report = JSON.stringify({
		auditReportVersion: 2,
		vulnerabilities: {
			left: {
				via: [
					{
						name: 'left',
						title: 'Too much',
						url: 'https://github.com/advisories/GHSA-aaaa',
						severity: 'high',
					},
				],
			},
			right: { via: ['left'] },
		},
	});
	const findings = readFindings(report) ?? [];
	const explained = { advisory: 'GHSA-aaaa', why: 'It is a tool.', until: '2026-12-31' };

	test('are told, unless somebody has said why they do not reach us, and until when', () => {
		expect(auditProblems(findings, [], '2026-11-22')).toEqual(['GHSA-aaaa (high) in left: Too much']);
		expect(auditProblems(findings, [explained], '2026-12-31')).toEqual([]);
		expect(auditProblems(findings, [explained], '2027-01-01')).toEqual([
			'GHSA-aaaa in left was explained until 2026-12-31',
		]);
		expect(auditProblems([], [explained], '2026-11-22')).toEqual([expect.stringContaining('take it out')]);
	});

	test('are not none where the registry could not be asked', () => {
		expect(readFindings('{"message":"405 Method Not Allowed","error":{"summary":""}}')).toBeNull();
		expect(readFindings('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual([]);
	});

	test('that are explained have an end', () => {
		for (const { advisory, why, until } of readExplained()) {
			expect(advisory).toMatch(/^GHSA-/);
			expect(why.length).toBeGreaterThan(20);
			expect(until).toMatch(/^\d{4}-\d\d-\d\d$/);
		}
	});
});

test('the bill of materials has what is shipped, and no tool', () => {
	const component = (name: string, version: string) => ({ 'bom-ref': `${name}@${version}`, name, version });
	const self = { 'bom-ref': 'mailsonar@0.1.0', name: 'some-folder' };
	const bom = {
		metadata: { component: self },
		components: [component('mailsonar', '0.1.0'), component('zod', '4.6.7'), component('zod', '4.6.6')],
		dependencies: [
			{ ref: 'mailsonar@0.1.0', dependsOn: ['zod@4.6.7', 'vitest@5.1.1'] },
			{ ref: 'mailsonar@0.1.0', dependsOn: ['typescript@5.9.3'] },
			{ ref: 'zod@4.6.7', dependsOn: [] },
			{ ref: 'vitest@5.1.1', dependsOn: ['zod@4.6.6'] },
		],
	};
	const lock = [
		locked({ name: 'zod', version: '4.6.7' }),
		locked({ name: 'zod', version: '4.6.6', isShipped: false }),
	];
	expect(shippedBom(bom, lock)).toEqual({
		metadata: { component: { ...self, name: 'mailsonar' } },
		components: [component('zod', '4.6.7')],
		dependencies: [
			{ ref: 'mailsonar@0.1.0', dependsOn: ['zod@4.6.7'] },
			{ ref: 'zod@4.6.7', dependsOn: [] },
		],
	});
});
