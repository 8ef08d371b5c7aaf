import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { makeClientTypes } from '../../../test/support/openapi/client-types.ts';

// `npm run build:client`: the package's `dist`. The library is one module for every runtime; the program is one for
// Node, and has in it what it uses of the service's own code (CSV, addresses), so that the package depends on nothing.

const HOME = path.join(import.meta.dirname, '..');

/** Builds the package into a folder, by default its `dist`. */
export async function buildClient(dist = path.join(HOME, 'dist')): Promise<void> {
	await makeClientTypes();
	rmSync(dist, { recursive: true, force: true });
	const common = { bundle: true, format: 'esm', legalComments: 'inline', logLevel: 'warning' } as const;
	await build({
		...common,
		entryPoints: [path.join(HOME, 'src/index.ts')],
		outfile: path.join(dist, 'index.js'),
		platform: 'neutral',
		target: 'es2022',
	});
	const { metafile } = await build({
		...common,
		entryPoints: [path.join(HOME, 'src/cli/mailsonar.ts')],
		outfile: path.join(dist, 'mailsonar.js'),
		platform: 'node',
		target: 'node20',
		metafile: true,
	});
	writeFileSync(path.join(dist, 'THIRD-PARTY.txt'), licencesOf(Object.keys(metafile.inputs)));
	chmodSync(path.join(dist, 'mailsonar.js'), 0o755);
	const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
	const flags = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', dist];
	execFileSync(
		process.execPath,
		[path.join(compiler, '../bin/tsc'), '-p', path.join(HOME, 'tsconfig.json'), ...flags],
		{
			stdio: 'inherit',
		},
	);
	// It leaves the endings of our sources in declarations.
	for (const file of globSync(path.join(dist, '*.d.ts')))
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}

/** The licences of the packages that files of a bundle come from. */
function licencesOf(files: readonly string[]): string {
	const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)]
		.map((folder) => `${path.basename(folder)}\n\n${readFileSync(path.resolve(folder, 'LICENSE'), 'utf8')}`)
		.join('\n');
}

if (import.meta.main) await buildClient();
