import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { buildSite } from './site.ts';

// Makes the Worker that Wrangler uploads and runs: wrangler.toml calls this file. Wrangler's own bundler puts everything
// into one file, which each new isolate then reads as a whole. Here what is imported on demand (pages, MCP, the readers of
// workbooks) is a file of its own, which an isolate reads with the first request for it.

// As `main` and `[assets]` in wrangler.toml have it.
export const FOLDER = 'dist';

/** The files that a build made, by path from the project's root, with their inputs and imports, as esbuild says it. */
export type Built = Metafile['outputs'];

// CommonJS packages ask for Node's modules by `require`, which no module of a Worker has.
const BUFFER = "export { Buffer } from 'node:buffer';";
// Of zod: schemas made of JSON schemas, and those that are compiled, for which a Worker may not make code.
const UNUSED = /\/zod\/v4\/(core\/compile|classic\/from-json-schema)\.js$/;

/** The module `built:site`, and what no bundler can tell of packages. */
const ours = (site: string): Plugin => ({
	name: 'ours',
	setup(esbuild) {
		const made: Readonly<Record<string, string>> = { 'built:site': site, buffer: BUFFER };
		esbuild.onResolve({ filter: /^(?:built:site|buffer)$/ }, ({ path }) => ({ path, namespace: 'made' }));
		esbuild.onLoad({ filter: /./, namespace: 'made' }, ({ path }) => ({ contents: made[path] ?? '' }));
		// Our own messages stand in the schemas, and zod has some in 52 languages beside English.
		esbuild.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) => ({
			path: join(resolveDir, '../locales/en.js'),
		}));
		// As an object `z` would be all of zod.
		esbuild.onLoad({ filter: /@hono\/zod-openapi\/dist\/index\.mjs$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8').replace(
				'{ z } from "zod"',
				'{ ZodType } from "zod"; const z = { ZodType }',
			),
		}));
		esbuild.onLoad({ filter: UNUSED }, ({ path }) => {
			const names = readFileSync(path, 'utf8').matchAll(/^export (?:const|class|function) (\w+)/gm);
			return { contents: Array.from(names, ([, name]) => `export const ${name} = undefined;`).join('\n') };
		});
	},
});

/** Builds into a folder `worker`, with `index.js`, what it imports and their source maps, and `site`. */
export async function buildWorker(into: string): Promise<Built> {
	const [site, folder] = [buildSite(), join(into, 'worker')];
	fill(join(into, 'site'), site.files);
	const { outputFiles, metafile } = await build({
		entryPoints: ['src/index.ts'],
		outdir: folder,
		write: false,
		metafile: true,
		bundle: true,
		splitting: true,
		chunkNames: 'split/[name]-[hash]',
		format: 'esm',
		target: 'es2024',
		// As Wrangler resolves packages.
		conditions: ['workerd', 'worker', 'browser'],
		mainFields: ['workerd', 'browser', 'module', 'main'],
		external: ['node:*', 'cloudflare:*'],
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [ours(site.module)],
		// Half the text is half the work of a start. `npm run -s frames` finds what a frame in the log was.
		minify: true,
		sourcemap: true,
	});
	fill(folder, new Map(outputFiles.map(({ path, contents }) => [relative(folder, path), contents])));
	return metafile.outputs;
}

/**
 * Makes these the files of a folder. Several services may start at once, so each is replaced atomically, and left alone if
 * nothing changed.
 */
export function fill(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
	for (const [name, content] of files) {
		const path = join(folder, name);
		if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
		mkdirSync(dirname(path), { recursive: true });
		const written = `${folder}.${process.pid}`;
		writeFileSync(written, content);
		renameSync(written, path);
	}
	// Wrangler would upload what earlier builds left.
	const current = [...files.keys()];
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
		if (!current.some((one) => one.startsWith(name)))
			rmSync(join(folder, name), { recursive: true, force: true });
}

if (import.meta.main) await buildWorker(FOLDER);
